#!/usr/bin/env bash
# Reads a few pages of the bundled sample with a real small model as extractor and as reviewer, through
# an OpenAI-compatible server on loopback. Not a part of CI: it needs a model server.
#
#   tests/live/small_model.sh BASE_URL [PAGE…]
#
# BASE_URL is what `base_url` wants, for example http://127.0.0.1:18091/v1. PAGE is the name of a page
# under sources/site/bulk/en (taxi-voucher and winter-warmth if none is given). COUNTERSIGN names the
# binary, target/debug/countersign if not set; MAX_TOKENS bounds one reply (600 if not set). It prints the run's summary and every row with what the
# gate and the reviewer made of it. A small model invents: what has to hold is that nothing it invents
# is accepted, and that the counts tell the truth.
set -eu
base_url=${1:?usage: tests/live/small_model.sh BASE_URL [PAGE…]}
shift
pages=("${@:-taxi-voucher}")
[ $# -gt 0 ] || pages=(taxi-voucher winter-warmth)
home=$(cd "$(dirname "$0")/../.." && pwd)
binary=${COUNTERSIGN:-$home/target/debug/countersign}
project=$(mktemp -d)
python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$home/sources/site/bulk" > "$project/port" 2> /dev/null &
site=$!
trap 'kill "$site"; rm -rf "$project"' EXIT
until grep -q port "$project/port"; do sleep 0.1; done
port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$project/port")

mkdir "$project/sources"
starts=$(printf '"http://harbour.example/en/%s.html", ' "${pages[@]}")
allow=$(printf '"^/en/%s", ' "${pages[@]}")
sed -e "s|^start = .*|start = [$starts]|" -e "s|^allow = .*|allow = [$allow]|" -e 's|^content = .*|content = ["body"]|' -e '/^sitemaps = /d' \
    "$home/sources/harbour-en.toml" > "$project/sources/harbour-en.toml"
for step in extractor reviewer; do
    printf '[%s]\nanswerer = "http"\nmodel = "small-model"\nbase_url = "%s"\nmax_tokens = %s\ntimeout_s = 600\nconcurrency = 1\n' \
        "$step" "$base_url" "${MAX_TOKENS:-600}"
done > "$project/countersign.toml"
printf '["small-model"]\ninput_per_million = "0"\noutput_per_million = "0"\ncurrency = "USD"\nas_of = "2026-11-30"\nsource = "runs on this machine"\n' \
    > "$project/prices.toml"

status=0
"$binary" run --yes --no-progress --project "$project" --connect-to "harbour.example=127.0.0.1:$port" || status=$?
echo "exit $status"
python3 - "$project" <<'PY'
import glob, json, sys
for path in sorted(glob.glob(sys.argv[1] + "/extracted/*/*.jsonl")):
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        codes = ",".join(it["code"] for it in row.get("findings", []))
        print(row["status"], row["field"], row["op"], json.dumps(row["value"]), repr(row["snippet"][:60]), codes)
finishes = {}
for path in glob.glob(sys.argv[1] + "/asks/*/*.answer.json"):
    answer = json.load(open(path, encoding="utf-8"))
    ask = json.load(open(path.replace(".answer.", ".ask."), encoding="utf-8"))
    key = (ask["step"], ask["attempt"], answer["finish"])
    finishes[key] = finishes.get(key, 0) + 1
    if ask["attempt"] == 1 and finishes[key] == 1:
        print("first", ask["step"], "reply:", answer["reply"][:400], answer.get("usage"))
print("finishes", {" ".join(map(str, key)): n for key, n in sorted(finishes.items())})
PY
