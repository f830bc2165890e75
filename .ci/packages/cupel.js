#!/usr/bin/env node
// Runs the cupel that the package of this platform carries, with the same input, output, signals and exit code.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `@cupel-dev/cupel-${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`${name}/bin/cupel${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  fail(`no package for this platform: "${name}"`,
    "install without --omit=optional; other platforms build with go install github.com/cupel-dev/cupel@latest");
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (why) => fail(`cannot run "${binary}": ${why.code || why.message}`, "reinstall the package"));
child.on("exit", (code, signal) => process.exit(code === null ? 128 + constants.signals[signal] : code));
// A terminal sends Ctrl-C to both, and a second one would end cupel in the middle; the others are passed on.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));

function fail(error, hint) {
  console.error(`cupel: error: ${error}\ncupel: hint: ${hint}`);
  process.exit(2);
}
