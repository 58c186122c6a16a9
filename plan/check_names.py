import ast,pathlib,re,sys,keyword,builtins
ROOT=pathlib.Path('.'); P=re.compile(r"_?[a-z]+(ed|en|wn|id|de|ld|ng|nt)")
bad=0; new={}
rows=[l.rstrip('\n').split('\t') for l in open(sys.argv[1]) if l.strip()]
defs={}
def load(m):
    if m in defs: return defs[m]
    p=ROOT/(m.replace('.','/')+'.py')
    if not p.is_file(): p=ROOT/m.replace('.','/')/'__init__.py'
    if not p.is_file(): defs[m]=None; return None
    d={}
    def walk(n,q):
        for c in ast.iter_child_nodes(n):
            if isinstance(c,(ast.FunctionDef,ast.AsyncFunctionDef)): d['.'.join(q+[c.name])]=c; 
            elif isinstance(c,ast.ClassDef): d['.'.join(q+[c.name])]=c; walk(c,q+[c.name])
            elif isinstance(c,(ast.Assign,ast.AnnAssign)):
                for t in (c.targets if isinstance(c,ast.Assign) else [c.target]):
                    if isinstance(t,ast.Name): d['.'.join(q+[t.id])]=c
            elif isinstance(c,(ast.Import,ast.ImportFrom)) :
                for a in c.names: d['.'.join(q+[(a.asname or a.name).split('.')[0]])]=c
            elif isinstance(c,(ast.If,ast.Try)): walk(c,q)
    walk(ast.parse(p.read_text()),[]); defs[m]=d; return d
ren={}
for r in rows:
    if len(r)!=3: print('not three columns:',r); bad+=1; continue
    m,q,n=r; d=load(m)
    if d is None or q not in d: print('no such name:',m,q); bad+=1; continue
    if not n.isidentifier() or keyword.iskeyword(n) or (hasattr(builtins,n) and '.' not in q): print('bad name:',r); bad+=1
    if n==q.split('.')[-1]: print('same name:',r); bad+=1
    if P.fullmatch(n) and not isinstance(d[q],ast.ClassDef): print('still a bare participle:',r); bad+=1
    if (m,q) in ren: print('twice:',r); bad+=1
    ren[m,q]=n
for (m,q),n in ren.items():
    d=defs[m]; pre=q.rpartition('.')[0]; t=(pre+'.' if pre else '')+n
    if t in d and (m,t) not in ren: print('already there:',m,q,n); bad+=1
    others=[x for (mm,x),nn in ren.items() if mm==m and x!=q and x.rpartition('.')[0]==pre and nn==n]
    if others: print('same new name in one place:',m,q,others,n); bad+=1
print(len(rows),'names,',bad,'to mend')
