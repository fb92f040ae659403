use retrograde_described::*; use retrograde_positions::Positions; use retrograde::*;
struct D(u64);
impl PageVisitor for D { type Output=(); fn visit<const N: usize>(self, game: DescribedGame<N>) {
 let mut x=self.0; let n=game.states(); let mut done=0;
 while done<6000 { x=x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); let s=(x>>20)%n; let Some(p)=game.position(&(),s) else {continue}; done+=1;
  let mut v=vec![]; let e=game.moves(&p,&mut |m| v.push(game.write(&m.next))); v.sort(); v.dedup(); println!("{}|{}|{}", game.write(&p), e.is_some(), v.join(";")); } } }
fn main(){ let a: Vec<String>=std::env::args().collect(); let t=std::fs::read_to_string(&a[1]).unwrap(); Page::read(&t).unwrap().visit(Numbers::Plain, D(7)).unwrap(); }
