#!/bin/sh
# One answer, however the work is shared: 400 session logs, a quarter of them damaged, 8 files
# that mix lines of several logs, and one log of 157 MB, verified in one run, in three shards,
# and by cupel-beam on Prism, whole and in ranges of 16 MiB. All give the same bytes when they
# are joined in the order of names. Then what each takes, measured one after the other; the
# target is 1.1 times the CPU time of one run for whole logs, 1.15 for the ranges of the long one,
# and 1.3 for 150 sessions among each other in eight files of 46 MB, beside the 0.08 s that
# cupel-beam takes to start. SCALE_EVENTS asks for another length of the long log, such as 1000000
# for 618 MB, beside which the start is little; 0 for none.
set -eu
cupel=$(realpath "$1") beam=$(realpath "$2")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/measure" ./testdata/bench/measure
go build -o "$out/sessionlog" ./testdata/bench/sessionlog
cd "$out"
./sessionlog 400 logs 400
i=0
for log in logs/*.jsonl; do
    i=$((i + 1))
    case $((i % 16)) in
    1) sed -i 100d "$log" ;;
    2) sed -i '50{h;d};51{G}' "$log" ;;
    3) sed -i '200s/TOOL/tool/' "$log" ;;
    4) truncate -s -100 "$log" ;;
    esac
done
for k in 1 2 3 4 5 6 7 8; do
    paste -d '\n' logs/00000$k.jsonl logs/00010$k.jsonl logs/00020$k.jsonl | grep -v '^$' >"logs/mixed-$k.jsonl"
done
if [ "${SCALE_EVENTS:=253000}" -gt 0 ]; then
    ./sessionlog "$SCALE_EVENTS" >logs/zz-long.jsonl
fi
ls logs | wc -l | sed 's/$/ logs/'
du -sb logs | sed 's/\tlogs/ bytes/'

# answer NAME COMMAND… runs a command whose answer may be no, but must be one.
answer() {
    name=$1
    shift
    "$@" >"$name" 2>"$name.err" || [ $? = 1 ] || { cat "$name.err" >&2; exit 1; }
}
answer plain.json "$cupel" trace verify --format json logs/*.jsonl
for k in 1 2 3; do answer shard-$k.json "$cupel" trace verify --format json --shard $k/3 logs/*.jsonl; done
answer shards.json "$cupel" report merge --format json shard-?.json
answer files.txt "$beam" --input 'logs/*.jsonl' --output files --shards 3 --split 1GiB
answer files.json "$cupel" report merge --format json files/report-*.json
answer ranges.txt "$beam" --mode ranges --split 16MiB --input 'logs/*.jsonl' --output ranges
answer ranges.json "$cupel" report merge --format json ranges/report-*.json
for way in shards files ranges; do
    cmp plain.json $way.json
    echo "$way: the bytes of one run"
done
cmp plain.json ranges/report-00001-of-00001.json
# again INPUT COMMAND… runs cupel-beam into a new folder each time.
cat >again <<'END'
#!/bin/sh
input=$1
shift
folder=$(mktemp -d) && "$@" --output "$folder" --input "$input"
status=$?
rm -rf "$folder"
exit $status
END
chmod +x again
./measure -n 3 \
    "one run, 1 job" "$cupel" trace verify --jobs 1 --format json logs/*.jsonl -- \
    "one run, 2 jobs" "$cupel" trace verify --jobs 2 --format json logs/*.jsonl -- \
    "cupel-beam, whole logs" ./again 'logs/*.jsonl' "$beam" --split 1GiB -- \
    "cupel-beam, all by ranges" ./again 'logs/*.jsonl' "$beam" --mode ranges --split 16MiB
mkdir sessions
./sessionlog 4000 - 150 >sessions.jsonl
split -n l/8 sessions.jsonl sessions/log.
answer sessions.txt "$beam" --mode sessions --input 'sessions/log.*' --output by
grep -qx '150 inputs: 150 valid, 0 invalid, 0 rejected; 0 errors, 0 warnings' sessions.txt
./measure -n 3 \
    "sessions, 1 job" "$cupel" trace verify --jobs 1 --chain --by session_id --format json sessions/log.* -- \
    "cupel-beam, sessions" ./again 'sessions/log.*' "$beam" --mode sessions
rm -r sessions sessions.jsonl
[ "$SCALE_EVENTS" -gt 0 ] || exit 0
./measure -n 3 \
    "the long log, 1 job" "$cupel" trace verify --jobs 1 --format json logs/zz-long.jsonl -- \
    "cupel-beam, ranges of 16 MiB" ./again logs/zz-long.jsonl "$beam" --split 16MiB
