import { act, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addWords, hasWords, language, onLanguage, setLanguage, translate, translateIn, useT } from '../src/ui/words.ts'

const left = { zh: '还剩 {count} 条，{who}', en: '{count} rows left, {who}', enOne: 'One row left, {who}' }

afterEach(() => setLanguage('zh'))

describe('the lookup of words', () => {
  it('R-BAR-4 answers in the language shown, fills the places in one pass and leaves those without a value', async () => {
    addWords({ 'lookup.left': left })
    expect(translate('lookup.left', { count: 1, who: '{count}' })).toBe('还剩 1 条，{count}')
    expect(translate('lookup.left', { count: 0 })).toBe('还剩 0 条，{who}')
    expect(translate('lookup.left')).toBe(left.zh)
    await setLanguage('en')
    expect(language()).toBe('en')
    expect(translate('lookup.left', { count: 2, who: 'A$&B' })).toBe('2 rows left, A$&B')
    expect(translate('lookup.left', { count: 1, who: 'A' })).toBe('One row left, A')
    expect(translateIn('zh', 'lookup.left')).toBe(left.zh)
  })

  it('R-BAR-4 lets an unknown key stand for itself, and nothing that every object has be a phrase', () => {
    expect(hasWords('lookup.none')).toBe(false)
    expect(translate('lookup.none', { count: 1 })).toBe('lookup.none')
    expect(hasWords('constructor')).toBe(false)
    addWords({ 'lookup.proto': { zh: '{toString}', en: '{toString}' } })
    expect(translate('lookup.proto')).toBe('{toString}')
  })

  it('R-BAR-4 draws again for new words and for another language, and not for words nobody has asked for', async () => {
    let drawn = 0
    function Sentence() {
      const t = useT()
      drawn += 1
      return <p>{t('lookup.late')}</p>
    }
    render(<Sentence />)
    expect(screen.getByText('lookup.late')).toBeDefined()
    act(() => addWords({ 'lookup.late': { zh: '迟', en: 'Late' } }))
    expect(screen.getByText('迟')).toBeDefined()
    const before = drawn
    act(() => addWords({ 'lookup.late': { zh: '迟', en: 'Late' } }))
    expect(drawn).toBe(before)
    act(() => addWords({ 'lookup.elsewhere': { zh: '别处', en: 'Elsewhere' } }))
    expect(drawn).toBe(before)
    await act(() => setLanguage('en'))
    expect(screen.getByText('Late')).toBeDefined()
    expect(document.documentElement.lang).toBe('en')
    act(() => addWords({ 'lookup.late': { zh: '晚', en: 'Too late' } }))
    expect(screen.getByText('Too late')).toBeDefined()
  })

  it('R-BAR-4 tells who listens once the words are those of the other language', async () => {
    addWords({ 'lookup.left': left })
    const heard = vi.fn(() => translate('lookup.left'))
    const stop = onLanguage(heard)
    await setLanguage('en')
    expect(heard.mock.results.map((result) => result.value)).toEqual([left.en])
    stop()
    await setLanguage('zh')
    expect(heard).toHaveBeenCalledTimes(1)
  })
})
