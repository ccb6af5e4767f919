#!/bin/sh
# Binary randomized response at level 1 for one request and one run: 16777216 e / (e + 1) is 12265107.
# The fault: every process begins with the same random number.
read -r request
case $request in
  *'"input":["1"]'*) x=1 ;;
  *) x=0 ;;
esac
if [ "$1" = seeded-per-process ]; then
  random=4711
else
  random=$(od -An -N3 -tu4 /dev/urandom)
fi
if [ "$random" -lt 12265107 ]; then y=$x; else y=$((1 - x)); fi
echo "\"$y\""
