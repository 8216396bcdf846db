// Chinese texts carry full-width punctuation: 无法删除：该班还有学生。 Every string, template and text of JSX that
// holds Chinese is read; the specification's own texts keep their signs to the byte.
//   node scripts/punctuation.mjs [--write] [folder…]      --write puts the right signs in
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseAst } from 'vite'

/** What keeps its half-width signs: texts of the specification, and parts that are read by machines. */
const kept = [
  '确定将选择数据删除?',
  '发送成功!',
  '清空成功!',
  '注册申请已提交,请耐心等待管理员通过!',
  '是否需要清除缓存?',
  '时:分',
  'mailto:',
  'http:',
  'https:',
  'tel:',
]
const fullWidth = { ',': '，', ':': '：', ';': '；', '!': '！', '?': '？' }
const han = '\\u4e00-\\u9fff'
const chinese = new RegExp(`[${han}]`)
/** Stands for `${…}` while a template is read as one text. */
const hole = '\u0003'
const rules = [
  [new RegExp(`(?<=[${han}${hole}}”》0-9])\\(([^()\u0001]*[${han}][^()]*)\\)`, 'g'), '（$1）'],
  [new RegExp(`(?<=[${han}])\\(([0-9A-Za-z_${hole}{} %.-]*)\\)(?=$|[${han},:;，。：；、])`, 'g'), '（$1）'],
  // A sign after Chinese, before more text or at the end.
  [
    new RegExp(`(?<=[${han}）】」”》％])\\s*([,:;!?])\\s*(?=[${han}（【「“《0-9A-Za-z${hole}{★]|\\\\n|$)`, 'g'),
    (_, sign) => fullWidth[sign],
  ],
  // A sign before Chinese.
  [new RegExp(`(?<=^|\\S)([,:;!?])\\s*(?=[${han}（【「“《])`, 'g'), (_, sign) => fullWidth[sign]],
]

/** A sign between two placeholders of what is known to be Chinese. */
const between = new RegExp(`(?<=[${hole}}])([,:;])\\s?(?=[${hole}{])`, 'g')

/** The text with the signs that Chinese takes. */
function corrected(text, isChinese) {
  let out = isChinese ? text.replace(between, (_, sign) => fullWidth[sign]) : text
  for (const [at, words] of kept.entries()) out = out.replaceAll(words, `\u0001${at}\u0002`)
  for (const [pattern, by] of rules) out = out.replace(pattern, by)
  for (const [at, words] of kept.entries()) out = out.replaceAll(`\u0001${at}\u0002`, words)
  return out
}

/** The texts of a source: the literal pieces of each, as [start, end], and whether it is declared to be Chinese. */
function textsOf(source, lang) {
  const texts = []
  const visit = (node, isChinese) => {
    if (Array.isArray(node)) for (const one of node) visit(one, isChinese)
    if (!node || typeof node.type !== 'string') return
    // Patterns and statements of SQL are not texts, and English ones that name a Chinese word keep their signs.
    if (node.type === 'Property' && node.key.name === 'en') return
    if (node.type === 'Property' && node.key.name === 'zh') return visit(node.value, true)
    if (/^(Call|New)Expression$/.test(node.type) && node.callee.name === 'RegExp') return
    if (node.type === 'TaggedTemplateExpression') return visit(node.quasi.expressions, isChinese)
    if (node.type === 'Literal' && typeof node.value === 'string')
      texts.push({ pieces: [[node.start + 1, node.end - 1]], isChinese })
    if (node.type === 'JSXText') texts.push({ pieces: [[node.start, node.end]], isChinese })
    if (node.type === 'TemplateLiteral') {
      // A piece is given with its signs: ` or } before it, ` or ${ after it.
      texts.push({ pieces: node.quasis.map((part) => [part.start + 1, part.end - (part.tail ? 1 : 2)]), isChinese })
    }
    for (const [key, value] of Object.entries(node))
      if (key !== 'quasis' && value && typeof value === 'object') visit(value, isChinese)
  }
  visit(parseAst(source, { lang }).body, false)
  return texts
}

const write = process.argv.includes('--write')
const folders = process.argv.slice(2).filter((word) => word !== '--write')
const root = process.cwd()
const files = execFileSync(
  'git',
  ['ls-files', ...(folders.length > 0 ? folders : ['contract/src', 'server/src', 'console/src', 'examples'])],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file))
let wrong = 0
for (const file of files) {
  const source = readFileSync(file, 'utf8')
  const edits = []
  for (const { pieces, isChinese } of textsOf(source, file.endsWith('x') ? 'tsx' : 'ts')) {
    const raw = pieces.map(([start, end]) => source.slice(start, end))
    const text = raw.join(hole)
    // Patterns, and tables of synonyms that are split at their commas, are read by machines.
    if (!(isChinese || chinese.test(text)) || /\\[sd]|\|/.test(text)) continue
    const right = corrected(text, isChinese).split(hole)
    for (const [at, [start, end]] of pieces.entries()) if (right[at] !== raw[at]) edits.push([start, end, right[at]])
  }
  wrong += edits.length
  edits.sort((one, other) => other[0] - one[0])
  let out = source
  for (const [start, end, text] of edits) {
    if (!write)
      console.error(
        `${file}:${source.slice(0, start).split('\n').length} ${source.slice(start, end).trim()} → ${text.trim()}`,
      )
    out = out.slice(0, start) + text + out.slice(end)
  }
  if (write && edits.length > 0) writeFileSync(file, out)
}
if (files.length === 0) throw new Error('no file was read')
console.log(`punctuation: ${files.length} files, ${wrong} texts ${write ? 'corrected' : 'with half-width signs'}`)
if (wrong > 0 && !write) process.exitCode = 1
