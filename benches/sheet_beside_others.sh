#!/usr/bin/env bash
# Our sheet beside XlsxWriter and openpyxl, one after the other in one run on one machine: written, and
# read back. `benches/sheet_beside_others.sh [ROWS]`; needs ../shared/bench (or COUNTERSIGN_SHARED) and,
# the first time, a package index for pip. Each line says what it measured; a tool that fails ends it.
set -euo pipefail
cd "$(dirname "$0")/.."
rows=${1:-10000}
shared=${COUNTERSIGN_SHARED:-../shared}/bench
[ -f "$shared/bench_xlsx.py" ] || { echo "$shared/bench_xlsx.py is missing: set COUNTERSIGN_SHARED"; exit 1; }
home=$PWD/target/beside-others
python=$home/bin/python
if ! "$python" -c 'import openpyxl, xlsxwriter' 2>/dev/null; then
    python3 -m venv "$home"
    "$python" -m pip install --quiet openpyxl==3.1.5 XlsxWriter==3.3.1
fi
"$python" "$shared/gen_data.py" rows --out "$home/rows" --rows "$rows" >/dev/null
cargo bench --quiet --bench sheet --no-run

measure() {
    "$python" "$shared/bench_xlsx.py" --rows "$home/rows/rows.jsonl" --tool "$1" --file "$home/$2" |
        "$python" -c '
import json, sys
it = json.load(sys.stdin)
assert it.get("mismatches", 0) == 0, it
figures = (it["tool"], it["wall_s"] * 1000, it["cpu_s"] * 1000, it["peak_rss_mb"])
print("%-22s %6.0f ms wall %6.0f ms CPU, peak %.0f MB" % figures)'
}

echo "== others, $rows rows"
measure xlsxwriter xlsxwriter.xlsx
measure xlsxwriter-constant constant.xlsx
measure openpyxl openpyxl.xlsx
measure read-openpyxl xlsxwriter.xlsx
measure read-openpyxl-rich xlsxwriter.xlsx
echo "== countersign, $rows rows"
cargo bench --quiet --bench sheet -- "$rows"
