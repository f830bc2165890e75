# The binary, the certificates that judges of attest eval need, and a folder for temporary files; no shell.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETOS
ARG TARGETARCH
ARG VERSION=0.1.0
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -tags urfave_cli_no_docs \
    -ldflags "-s -w -X github.com/cupel-dev/cupel/internal/buildinfo.Version=$VERSION" -o /cupel . \
    && mkdir -p /image/tmp && chmod 1777 /image/tmp

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /cupel /usr/bin/cupel
COPY --from=build /image/ /
COPY LICENSE NOTICE /usr/share/doc/cupel/
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/usr/bin/cupel"]
