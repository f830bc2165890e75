#!/bin/sh
# The recipe for Apache Spark in docs/scale.md, run on a log of 100,000 events (62 MB) without one of
# them: spark.sh CUPEL [FOLDER]. Downloads Spark (491 MB), which needs Java 17 or later, into a new
# virtual environment that is deleted at the end; in FOLDER it is kept, and used the next time.
set -eu
cd "$(dirname "$0")/../.."
cupel=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
command -v java >/dev/null || { echo "spark.sh: java is not there; Spark needs Java 17 or later" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
venv=${2:-$work/venv}
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check --no-cache-dir pyspark==4.3.0
go run ./testdata/bench/sessionlog 100000 | sed 50000d >"$work/log.jsonl"
mkdir "$work/summaries" "$work/recipe" "$work/bin"
ln -s "$cupel" "$work/bin/cupel"
export PATH="$work/bin:$PATH"
export PYSPARK_PYTHON="$venv/bin/python" SPARK_LOCAL_IP=127.0.0.1 SPARK_LOCAL_DIRS="$work/spark" PYTHONDONTWRITEBYTECODE=1
"$venv/bin/python" testdata/scale/spark.py "$cupel" "$work/log.jsonl" 16MiB "$work/summaries"

# The recipe itself, as the document has it.
sed -n '/^## Apache Spark/,/^## The file/p' docs/scale.md | sed -n '/^```python$/,/^```$/p' | sed '/^```/d' >"$work/recipe.py"
cupel trace verify --format json "$work/log.jsonl" >"$work/whole.json" && whole=0 || whole=$?
PYSPARK_SUBMIT_ARGS="--master local[2,3] --conf spark.ui.enabled=false --conf spark.ui.showConsoleProgress=false pyspark-shell" \
    "$venv/bin/python" "$work/recipe.py" "$work/log.jsonl" 16MiB "$work/recipe" && code=0 || code=$?
[ "$code" = "$whole" ] || { echo "spark.sh: docs/scale.md: exit code $code, expected $whole" >&2; exit 1; }
cupel report merge --format json "$work/recipe" | cmp - "$work/whole.json"
echo "ok: docs/scale.md: the same report, and exit code $code"
