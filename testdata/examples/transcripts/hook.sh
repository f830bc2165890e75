#!/bin/sh
# A hook of Claude Code for the events Stop and SessionEnd. It checks the session's transcript;
# at the end of the session it also writes an anchor of it into $CUPEL_ANCHORS, if that is set.
event=$(cat)
field() { printf '%s' "$event" | sed -n 's/.*"'"$1"'" *: *"\([^"]*\)".*/\1/p'; }
file=$(field transcript_path)
case $file in "~/"*) file=$HOME/${file#"~/"} ;; esac
cupel trace verify --growing --quiet --format short "$file" >&2 || exit 1
if [ "$(field hook_event_name)" = SessionEnd ] && [ -n "$CUPEL_ANCHORS" ]; then
	cupel trace seal "$file" >"$CUPEL_ANCHORS/$(basename "$file").anchor.json"
fi
