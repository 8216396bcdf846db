import { describe, expect, it } from 'vitest'
import { commonWords } from '../src/locales/common.ts'
import { infoWords } from '../src/locales/info.ts'
import { loginWords } from '../src/locales/login.ts'
import { paletteWords } from '../src/locales/palette.ts'
import { preferenceWords } from '../src/locales/preferences.ts'
import { securityWords } from '../src/locales/security.ts'
import { shellWords } from '../src/locales/shell.ts'
import { specTexts } from '../src/locales/spec-texts.ts'
import { workWords } from '../src/locales/work.ts'
import { addWords, type Bundle, type Phrase, setLanguage, translate } from '../src/ui/words.ts'

/** Ideographs and full-width signs: what words are made of. */
const han = /[\u3400-\u4dbf\u4e00-\u9ffe\uff00-\uffef]/

/** Every source file of the console, by its path from here. */
const code: Readonly<Record<string, string>> = {
  ...import.meta.glob<string>('../src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob<string>('../login/*.ts', { query: '?raw', import: 'default', eager: true }),
}
const files = Object.entries(code).map(([path, text]) => ({ path, text, locale: path.includes('/src/locales/') }))
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

const locales = import.meta.glob<Record<string, unknown>>('../src/locales/*.ts', { eager: true })

function bundles(): [string, Bundle][] {
  const isBundle = (value: unknown): value is Bundle =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((part) => typeof part === 'object')
  return Object.values(locales).flatMap((module) =>
    Object.entries(module).filter((entry): entry is [string, Bundle] => isBundle(entry[1])),
  )
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

describe('texts', () => {
  it('R-LIST-3 R-LIST-4 R-ERR-1 R-AUTH-4 R-DICT-2 R-AUTH-11 R-BAR-8 are those of the specification, byte by byte', () => {
    expect(Object.values(specTexts).map((words) => words.zh)).toEqual([
      '新增成功',
      '更新成功',
      '删除成功',
      '确定将选择数据删除?',
      '请选择至少一条数据',
      '未知错误',
      '发送成功!',
      '清空成功!',
      '注册申请已提交,请耐心等待管理员通过!',
      '注册提示',
      '提交失败',
      '请先输入租户编号',
      '请先输入账号名称',
      '请先输入密码',
      '两次密码输入不一致',
      '请输入字典编号',
      '请输入字典名称',
      '请输入字典排序',
      '请选择封存',
      '请输入字典键值',
      '手机号码不能为空',
      '手机号码长度不为11位',
      '手机号码格式不正确',
      '登录',
      '锁屏密码不能为空',
      '是否需要清除缓存?',
      '上传到服务器',
      '清空本地日志',
      '账号注册',
      '请输入参数名称',
      '请输入参数键名',
      '请输入参数键值',
      '只能上传 jpg/png 文件，且不超过 500kb',
    ])
    expect(loginWords.noTenant.zh).toBe(specTexts['spec.tenantFirst'].zh)
    expect(loginWords.unknown.zh).toBe(specTexts['spec.unknownError'].zh)
    expect(loginWords.title).toEqual(specTexts['spec.loginTitle'])
    expect(loginWords.product).toEqual(commonWords['common.product'])
  })

  it('R-BAR-4 stand outside the locales nowhere', () => {
    expect(files.length).toBeGreaterThan(40)
    const found = files.filter((file) => !file.locale && han.test(withoutComments(file.text))).map((file) => file.path)
    expect(found).toEqual([])
  })

  it('R-BAR-4 exist in both languages, with the same placeholders', () => {
    const all = bundles().flatMap(([bundle, words]) =>
      Object.entries(words).map(([key, phrase]) => ({ key: `${bundle} ${key}`, phrase })),
    )
    expect(all.length).toBeGreaterThan(150)
    const wrong = all.filter(({ phrase }) => !complete(phrase)).map(({ key }) => key)
    expect(wrong).toEqual([])
  })

  it('say one of something in the singular', async () => {
    addWords({ 'test.rows': { zh: '{count} 条', en: '{count} rows', enOne: '{count} row' } })
    await setLanguage('en')
    const said = [1, '1', 0, 2, 21, '1,001'].map((count) => translate('test.rows', { count }))
    await setLanguage('zh')
    expect(said).toEqual(['1 row', '1 row', '0 rows', '2 rows', '21 rows', '1,001 rows'])
    expect(translate('test.rows', { count: 1 })).toBe('1 条')
    // Who has many before them is asked about many; a bound is a bound.
    const always = /Many$|^((user\.rolesReplaced|\w+\.alike|bulkEdit\.several)|export\.backgroundNote)$/
    const plural = /\{count\} (?!(?:as|is|was|has|this|ms|s)\b)(?:(?!marked)[a-z]+ )?[a-z]+s\b/
    const without = bundles().flatMap(([, words]) =>
      Object.entries(words).flatMap(([key, { en, enOne }]) =>
        plural.test(en) && enOne === undefined && !always.test(key) ? [key] : [],
      ),
    )
    expect(without).toEqual([])
  })

  it('R-BAR-4 are there for every key that the code names', () => {
    const known = new Set(bundles().flatMap(([, words]) => Object.keys(words)))
    const named = files.flatMap((file) =>
      [...file.text.matchAll(/\b(?:t|translate)\(\s*'([a-z]\w*\.[\w.]+)'/g)].map(([, key = '']) => key),
    )
    expect(named.length).toBeGreaterThan(80)
    expect([...new Set(named)].filter((key) => !known.has(key))).toEqual([])
  })

  it('R-BAR-4 of the shell and its parts are all used', () => {
    const text = files
      .filter((file) => !file.locale)
      .map((file) => file.text)
      .join('\n')
    // Built from a name: error.403, home.student, info.oldPassword.
    const made =
      /^(shell\.import\.(schoolclass|schoolclassroom|teacherclass|classschedule|studentparents)|error\.(403|404|500)(\.text)?|home\.(student|schoolclass|user|school|todo\.\w+)|info\.(oldPassword|newPassword1?|account|password|security|preferences|rule\.\w+|strength\.\w+))$/
    const unused = Object.keys({
      ...shellWords,
      ...paletteWords,
      ...infoWords,
      ...securityWords,
      ...preferenceWords,
      ...workWords,
    }).filter((key) => !made.test(key) && !text.includes(`'${key}'`))
    expect(unused).toEqual([])
  })
})

/** Names that are the same in both languages: a language calls itself by its own name. */
const ownNames = ['中文', 'English', '条']

function complete({ zh, en }: Phrase): boolean {
  if (ownNames.includes(zh) || ownNames.includes(en)) return true
  if (!zh || !en) return false
  // A measure word is Chinese alone.
  return !han.test(en) && placeholders(zh.replaceAll('{unit}', '')).join() === placeholders(en).join()
}
