import { createHmac, createSecretKey, randomBytes, createCipheriv, hash } from 'node:crypto'
const b = randomBytes(32), k = createSecretKey(b)
for (const [n,key] of [['buffer',b],['keyobj',k]]) { let t=performance.now(); for (let i=0;i<50000;i++) createHmac('sha256',key).update('000001|abc'+i).digest(); console.log(n,'hmac us', (performance.now()-t)/50)
 t=performance.now(); for (let i=0;i<50000;i++) { const c=createCipheriv('aes-256-gcm',key,randomBytes(12)); c.setAAD(b); Buffer.concat([c.update('abc'+i,'utf8'),c.final()]); c.getAuthTag() } console.log(n,'gcm us', (performance.now()-t)/50) }
// own HMAC by one-shot hash
const ipad=Buffer.alloc(64,0x36), opad=Buffer.alloc(64,0x5c); for(let i=0;i<32;i++){ipad[i]^=b[i];opad[i]^=b[i]}
const own=(s)=>hash('sha256',Buffer.concat([opad,hash('sha256',Buffer.concat([ipad,Buffer.from(s)]),'buffer')]),'buffer')
console.log(own('x').equals(createHmac('sha256',b).update('x').digest()))
let t=performance.now(); for (let i=0;i<50000;i++) own('000001|abc'+i); console.log('own us',(performance.now()-t)/50)
