cd "$1"
find bot cogs data rendering -type d -name __pycache__ -prune -exec rm -rf {} + ; 
[ -d bot/sandbox/page/static ] && mv bot/sandbox/page/static bot/sandbox/static
find bot cogs data rendering -type d -empty -delete
.venv/bin/ruff check -q --select I,F401 --fix . | tail -12; .venv/bin/ruff format -q .
