/*
 * The description of the API to read in a browser, at /api/docs. It is made here of nothing but the browser's own
 * means, so it asks no other host and needs no script but its own; everything it shows comes from /api/openapi.json and
 * is put in as text.
 */

const style = `
:root { color-scheme: light dark; --line: light-dark(#d9dde3, #3a4048); --soft: light-dark(#f5f7fa, #1d2126); --blue: light-dark(#0b57d0, #8ab4f8); --green: light-dark(#1e7b34, #81c995); --muted: light-dark(#5a6470, #9aa4b0) }
* { box-sizing: border-box }
body { margin: 0; font: 14px/1.55 system-ui, -apple-system, "PingFang SC", "Microsoft YaHei", sans-serif; background: light-dark(#fff, #15181c); color: light-dark(#1c2127, #e6e9ed) }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 12px; align-items: center; padding: 12px 20px; border-bottom: 1px solid var(--line); background: inherit }
h1 { margin: 0; font-size: 18px }
h2 { margin: 24px 0 8px; font-size: 16px }
input { flex: 1 1 220px; max-width: 420px; padding: 6px 10px; font: inherit; color: inherit; border: 1px solid var(--muted); border-radius: 6px; background: var(--soft) }
a { color: var(--blue) }
main { max-width: 1100px; margin: 0 auto; padding: 0 20px 60px }
details { border: 1px solid var(--line); border-radius: 6px; margin: 6px 0 }
summary { display: flex; flex-wrap: wrap; gap: 10px; align-items: baseline; padding: 8px 12px; cursor: pointer }
details > div { padding: 0 14px 12px }
code, pre { font: 13px/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace }
pre { overflow: auto; max-height: 420px; margin: 6px 0; padding: 10px; border-radius: 6px; background: var(--soft) }
table { width: 100%; border-collapse: collapse }
th, td { padding: 4px 10px 4px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
.scroll { overflow-x: auto }
.get { color: var(--green); font-weight: 600; min-width: 3em }
.post { color: var(--blue); font-weight: 600; min-width: 3em }
.muted { color: var(--muted) }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px }
`

const script = `
const zh = !/^en/i.test(new URLSearchParams(location.search).get('lang') ?? navigator.language)
const words = zh
  ? { title: '数据大脑 接口说明', find: '按路径或名称查找', none: '没有符合的接口', parameters: '参数', body: '请求体', answer: '返回', name: '名称', kind: '类型', must: '必填', yes: '是', loading: '正在读取…', failed: '无法读取接口说明', count: (n) => n + ' 个接口', other: 'English' }
  : { title: 'Data Brain API', find: 'Find by path or name', none: 'No call fits', parameters: 'Parameters', body: 'Body', answer: 'Answer', name: 'Name', kind: 'Kind', must: 'Required', yes: 'yes', loading: 'Reading…', failed: 'The description could not be read', count: (n) => n + ' calls', other: '中文' }
const make = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  node.append(...children)
  return node
}
// What stands once in the description and is pointed at; a part that holds itself is named where it comes again.
let shared = {}
const whole = (part, seen = []) => {
  if (Array.isArray(part)) return part.map((each) => whole(each, seen))
  if (typeof part !== 'object' || part === null) return part
  const { $ref: ref } = part
  if (ref === undefined) return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, whole(each, seen)]))
  const found = seen.includes(ref) ? undefined : ref.split('/').slice(1).reduce((of, name) => of?.[name], shared)
  return found === undefined ? { $ref: ref } : whole(found, [...seen, ref])
}
const kindOf = (schema = {}) => [schema.type, schema.enum && schema.enum.join(' | '), schema.pattern, schema.maxLength && '≤ ' + schema.maxLength, schema.description].filter(Boolean).join(', ')
const pretty = (schema) => make('pre', { tabindex: '0' }, JSON.stringify(schema, null, 2))
const summaryOf = (text = '') => { const [first, ...rest] = text.split(' / '); return zh || rest.length === 0 ? first : rest.join(' / ') }
const contents = (call) => {
  const box = make('div', {}, make('p', { class: 'muted' }, call.description ?? ''))
  if (call.parameters?.length) {
    const rows = whole(call.parameters).map((each) => make('tr', {}, make('td', {}, make('code', {}, each.name)), make('td', {}, kindOf(each.schema)), make('td', {}, each.required ? words.yes : '')))
    box.append(make('h3', {}, words.parameters), make('div', { class: 'scroll' }, make('table', {}, make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, words.name), make('th', { scope: 'col' }, words.kind), make('th', { scope: 'col' }, words.must))), make('tbody', {}, ...rows))))
  }
  for (const [type, { schema }] of Object.entries(whole(call.requestBody)?.content ?? {})) box.append(make('h3', {}, words.body + ' ' + type), pretty(schema))
  const answer = call.responses?.['200']?.content?.['application/json']?.schema
  // What stands in the envelope, or alone.
  const told = whole(answer?.allOf ? answer.properties?.data : answer)
  if (told && Object.keys(told).length > 0) box.append(make('h3', {}, words.answer + (answer.allOf ? ' data' : '')), pretty(told))
  return box
}
const entry = ({ path, method, call }) => {
  const node = make('details', {}, make('summary', {}, make('span', { class: method }, method.toUpperCase()), make('code', {}, path), make('span', { class: 'muted' }, summaryOf(call.summary))))
  // Thousands of rows of schemas are made only where they are looked at.
  node.addEventListener('toggle', () => { if (node.open && node.childElementCount === 1) node.append(contents(call)) })
  return node
}
const list = document.querySelector('main')
const box = document.querySelector('input')
const count = document.querySelector('#count')
document.documentElement.lang = zh ? 'zh-CN' : 'en'
document.title = words.title
document.querySelector('h1').textContent = words.title
box.placeholder = words.find
box.setAttribute('aria-label', words.find)
const other = document.querySelector('#other')
other.textContent = words.other
other.href = '?lang=' + (zh ? 'en' : 'zh')
list.textContent = words.loading
let calls = []
const show = () => {
  const wanted = box.value.trim().toLowerCase()
  const fitting = calls.filter(({ path, call }) => (path + ' ' + call.summary).toLowerCase().includes(wanted))
  const groups = Map.groupBy ? Map.groupBy(fitting, ({ call }) => call.tags[0]) : fitting.reduce((map, each) => map.set(each.call.tags[0], [...(map.get(each.call.tags[0]) ?? []), each]), new Map())
  count.textContent = words.count(fitting.length)
  list.replaceChildren(...[...groups].flatMap(([tag, each]) => [make('h2', {}, tag), ...each.map(entry)]))
  if (fitting.length === 0) list.textContent = words.none
}
box.addEventListener('input', show)
fetch('/api/openapi.json').then((answer) => answer.json()).then((document_) => {
  shared = document_
  calls = Object.entries(document_.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, call]) => ({ path, method, call })))
  show()
}).catch(() => { list.textContent = words.failed })
`

/** The page itself; its style and script are the files beside it. */
export function apiPage(): string {
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>数据大脑 / Data Brain API</title>
<link rel="stylesheet" href="/api/docs/page.css">
<script type="module" src="/api/docs/page.js"></script>
</head>
<body>
<header><h1>Data Brain API</h1><input type="search" autocomplete="off" spellcheck="false"><span id="count" class="muted" role="status"></span><a href="/api/openapi.json">openapi.json</a><a id="other" href="?lang=en">English</a></header>
<main></main>
</body>
</html>
`
}

/** Everything that is served for the page: address, kind and text. */
export const apiPageFiles: readonly { readonly path: string; readonly type: string; text(): string }[] = [
  { path: '/api/docs', type: 'text/html; charset=utf-8', text: apiPage },
  { path: '/api/docs/page.css', type: 'text/css; charset=utf-8', text: () => style },
  { path: '/api/docs/page.js', type: 'text/javascript; charset=utf-8', text: () => script },
]

/** The headers of each of them. */
export const apiPageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
}
