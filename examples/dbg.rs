use retrograde_described::*; use retrograde_positions::Positions; use retrograde::*;
struct D(Vec<u64>);
impl PageVisitor for D { type Output=(); fn visit<const N: usize>(self, game: DescribedGame<N>) {
 for s in self.0 { let p=game.position(&(),s); if let Some(p)=p { println!("{s}: {} {:?}", game.write(&p), p);  let b=game.board(&p).unwrap(); println!("{:?}", b.hands); println!("{:?}", b.men); let e=game.moves(&p,&mut |m| println!("   {} -> {} {}", m.name, game.write(&m.next), game.number(&(),&m.next))); println!("  end {:?}", e.map(|e| format!("{} {}", e.value,e.why))); 
  let mut v=vec![]; game.each_successor(s,|t| v.push(t)); println!("  succ {v:?}"); let mut v=vec![]; game.predecessors(s,|t| v.push(t)); println!("  pred {v:?} status {:?}", game.status(s)); } else {println!("{s}: invalid")} } } }
fn main(){ let a: Vec<String>=std::env::args().collect(); let t=std::fs::read_to_string(&a[1]).unwrap(); Page::read(&t).unwrap().visit(if std::env::var_os("F").is_some() {Numbers::Folded} else {Numbers::Plain}, D(a[2..].iter().map(|x|x.parse().unwrap()).collect())).unwrap(); }
