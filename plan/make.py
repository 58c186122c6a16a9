"""groups.txt → packages.tsv; modules of cogs that are not named keep their place."""
import pathlib, sys
H=pathlib.Path("plan"); sys.path.insert(0,str(H))
from scan import files, dotted
out=[];seen={}
for line in (H/"groups.txt").read_text().splitlines():
    if not line.strip() or line[0]=="#": continue
    t,_,olds=line.partition(":")
    for o in olds.split():
        assert o not in seen,o
        seen[o]=t; out.append((o,t))
packs=[]
for p in files():
    n=dotted(p)
    if n in seen: continue
    if n.startswith("cogs") or "migrations.versions" in n: out.append((n,n)); seen[n]=n
    elif p.endswith("__init__.py"): packs.append(n)
    else: print("not placed",n)
out.append(("data.store","-"))
(H/"packages.tsv").write_text("".join(f"{a}\t{b}\n" for a,b in out))
