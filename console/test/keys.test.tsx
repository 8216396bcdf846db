import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bindingsOf, type ListKeys } from '../src/entity/list/key-bindings.ts'
import { keysWords } from '../src/locales/keys.ts'
import { keepKeymap, keymapStore, keysOf, printedKeys } from '../src/ui/keymap.ts'
import { type Binding, chordsOf, type KeyScope, useKeys } from '../src/ui/keys.ts'
import { dropStored, storedKey, writeStored } from '../src/ui/stored.ts'
import { toast, toasts } from '../src/ui/toast.ts'
import { asStep, undoLast } from '../src/ui/undo.ts'

/** ux.md §8.1: which key does what, where, and when none does anything. */

const done: string[] = []
const does = (keys: string[], name: string, more: Partial<Binding> = {}): Binding => ({
  keys,
  run: () => void done.push(name),
  ...more,
})
const list: KeyScope = {
  name: 'list',
  bindings: [
    does(['KeyJ'], 'down'),
    does(['/'], 'quick'),
    does(['?'], 'sheet'),
    does(['#', 'Delete'], 'remove'),
    does(['Mod+KeyA'], 'all'),
    does(['KeyG KeyH'], 'home'),
    does(['KeyH'], 'h'),
    does(['Alt+KeyW'], 'close'),
    does(['F6'], 'region'),
    does(['Mod+KeyS'], 'save', { typing: true }),
  ],
}
function Heard({ active = true, scope = list }: { active?: boolean; scope?: KeyScope }) {
  useKeys(active, scope)
  return <input aria-label="text" />
}
const key = (event: KeyboardEventInit & { keyCode?: number }, target: Element = document.body) => {
  fireEvent.keyDown(target, event)
  return done.splice(0)
}
const j = { key: 'j', code: 'KeyJ' }

beforeEach(() => {
  done.length = 0
  dropStored('shortcuts')
  keepKeymap({})
  toasts.set([])
})
afterEach(() => dropStored('shortcuts'))

describe('a key', () => {
  it('is known by its place: neither another layout nor an input method changes what it does', () => {
    render(<Heard />)
    expect(key(j)).toEqual(['down'])
    expect(key({ key: 'о', code: 'KeyJ' })).toEqual(['down'])
    expect(key({ key: 'Process', code: 'KeyJ', keyCode: 229 })).toEqual([])
    expect(key({ key: 'j', code: 'KeyJ', isComposing: true })).toEqual([])
    // Chinese signs on the same keys.
    expect(key({ key: '、', code: 'Slash' })).toEqual(['quick'])
    expect(key({ key: '？', code: 'Slash', shiftKey: true })).toEqual(['sheet'])
    // A French keyboard has them elsewhere, and a 3 where others have #.
    expect(key({ key: '/', code: 'Period', shiftKey: true })).toEqual(['quick'])
    expect(key({ key: '3', code: 'Digit3', shiftKey: true })).toEqual([])
    expect(key({ key: '#', code: 'Digit3', shiftKey: true })).toEqual(['remove'])
  })

  it('with another modifier is another key', () => {
    render(<Heard />)
    expect(key({ ...j, ctrlKey: true })).toEqual([])
    expect(key({ ...j, altKey: true })).toEqual([])
    expect(key({ key: 'a', code: 'KeyA', ctrlKey: true })).toEqual(['all'])
    expect(key({ key: 'a', code: 'KeyA', metaKey: true })).toEqual(['all'])
    expect(key({ key: '/', code: 'Slash', ctrlKey: true })).toEqual([])
  })

  it('belongs to what one types in, but for chords that type nothing', () => {
    render(<Heard />)
    const input = screen.getByLabelText('text')
    expect(key(j, input)).toEqual([])
    expect(key({ key: 'a', code: 'KeyA', ctrlKey: true }, input)).toEqual([])
    expect(key({ key: 'w', code: 'KeyW', altKey: true }, input)).toEqual(['close'])
    expect(key({ key: 'F6', code: 'F6' }, input)).toEqual(['region'])
    expect(key({ key: 's', code: 'KeyS', ctrlKey: true }, input)).toEqual(['save'])
  })

  it('after g goes somewhere, once and for a moment only', () => {
    render(<Heard />)
    expect(key({ key: 'g', code: 'KeyG' })).toEqual([])
    expect(key({ key: 'h', code: 'KeyH' })).toEqual(['home'])
    expect(key({ key: 'h', code: 'KeyH' })).toEqual(['h'])
    key({ key: 'g', code: 'KeyG' })
    expect(key(j)).toEqual(['down'])
    expect(key({ key: 'h', code: 'KeyH' })).toEqual(['h'])
  })

  it('is not heard where the page is not the one shown, and goes to the innermost that wants it', () => {
    const inner: KeyScope = { name: 'inner', bindings: [does(['KeyJ'], 'inner'), { keys: ['KeyH'], run: () => false }] }
    const outer: KeyScope = {
      name: 'outer',
      outer: true,
      bindings: [does(['KeyJ'], 'outer'), does(['KeyH'], 'outer h')],
    }
    const { rerender } = render(<Heard scope={inner} />)
    render(<Heard scope={outer} />)
    expect(key(j)).toEqual(['inner'])
    expect(key({ key: 'h', code: 'KeyH' })).toEqual(['outer h'])
    rerender(<Heard scope={inner} active={false} />)
    expect(key(j)).toEqual(['outer'])
  })

  it('single letters and signs can be switched off (WCAG 2.1.4); chords and named keys go on', () => {
    render(<Heard />)
    writeStored('shortcuts', false)
    expect(key(j)).toEqual([])
    expect(key({ key: '/', code: 'Slash' })).toEqual([])
    key({ key: 'g', code: 'KeyG' })
    expect(key({ key: 'h', code: 'KeyH' })).toEqual([])
    expect(key({ key: 'Delete', code: 'Delete' })).toEqual(['remove'])
    expect(key({ key: 'w', code: 'KeyW', altKey: true })).toEqual(['close'])
    writeStored('shortcuts', true)
    expect(key(j)).toEqual(['down'])
  })

  it('does nothing to a page under something modal', () => {
    render(<Heard />)
    const dialog = document.createElement('dialog')
    dialog.setAttribute('open', '')
    dialog.getClientRects = () => [{}] as unknown as DOMRectList
    document.body.append(dialog)
    expect(key(j)).toEqual([])
    expect(key({ key: 'w', code: 'KeyW', altKey: true })).toEqual([])
    dialog.remove()
    expect(key(j)).toEqual(['down'])
  })
})

describe('the map of a list', () => {
  const all: ListKeys = Object.fromEntries(
    ['quick', 'filters', 'views', 'add', 'move', 'edge', 'beside', 'cell', 'tick', 'tickPage', 'view', 'edit', 'menu']
      .concat(['remove', 'page', 'print', 'reload', 'escape'])
      .map((name) => [name, (...given: unknown[]) => void done.push([name, ...given].join(' '))]),
  ) as unknown as ListKeys

  it('is what ux.md §8.1 says', () => {
    render(<Heard scope={{ name: 'list', bindings: bindingsOf(all) }} />)
    const letter = (text: string) => key({ key: text, code: `Key${text.toUpperCase()}` })
    expect([...'fvjkxenpr'].map((text) => letter(text)[0])).toEqual([
      'filters',
      'views',
      'move 1 false',
      'move -1 false',
      'tick',
      'edit',
      'add',
      'print',
      'reload',
    ])
    const named = (name: string, more: KeyboardEventInit = {}) => key({ key: name, code: name, ...more })[0]
    expect(named('ArrowDown', { shiftKey: true })).toBe('move 1 true')
    expect(named('ArrowUp')).toBe('move -1 false')
    expect([named('Home'), named('End'), named('PageDown'), named('PageUp')]).toEqual([
      'edge false',
      'edge true',
      'page 1',
      'page -1',
    ])
    expect([named('Delete'), key({ key: '#', code: 'Digit3', shiftKey: true })[0]]).toEqual(['remove', 'remove'])
    expect([key({ key: '.', code: 'Period' })[0], key({ key: '/', code: 'Slash' })[0]]).toEqual(['menu', 'quick'])
    expect([key({ key: ' ', code: 'Space' })[0], named('Escape')]).toEqual(['tick', 'escape'])
    expect(key({ key: 'Enter', code: 'Enter' })).toEqual(['cell false', 'view'])
    expect(named('F2')).toBe('cell true')
  })

  it('leaves Enter and Space to a button that has the focus, and what a list cannot do to nobody', () => {
    const { tick: _, print: __, ...some } = all
    render(
      <>
        <Heard scope={{ name: 'list', bindings: bindingsOf(some) }} />
        <button type="button">b</button>
      </>,
    )
    const target = screen.getByRole('button')
    expect(key({ key: 'Enter', code: 'Enter' }, target)).toEqual([])
    expect(key({ key: 'x', code: 'KeyX' })).toEqual([])
    expect(key({ key: 'p', code: 'KeyP' })).toEqual([])
  })

  it('has words for everything that it tells of', () => {
    for (const { label } of bindingsOf(all)) if (label) expect(Object.keys(keysWords)).toContain(label)
  })
})

describe('keys that the person chose (WCAG 2.1.4)', () => {
  const scope: KeyScope = {
    name: 'list',
    bindings: [
      does(['KeyJ', 'ArrowDown'], 'down', { label: 'keys.down' }),
      does(['Delete', '#'], 'remove', { label: 'keys.remove' }),
      does(['Mod+KeyK'], 'palette', { label: 'keys.palette', typing: true }),
      does(['KeyD'], 'new', { label: 'keys.new' }),
    ],
  }

  it('take the place of the letter or sign; arrows and Delete stay', () => {
    render(<Heard scope={scope} />)
    keepKeymap({ 'keys.down': 'Alt+KeyJ', 'keys.remove': 'KeyZ KeyX' })
    expect(key(j)).toEqual([])
    expect(key({ ...j, altKey: true })).toEqual(['down'])
    expect(key({ key: 'ArrowDown', code: 'ArrowDown' })).toEqual(['down'])
    expect(key({ key: '#', code: 'Digit3', shiftKey: true })).toEqual([])
    expect(key({ key: 'Delete', code: 'Delete' })).toEqual(['remove'])
    expect(key({ key: 'z', code: 'KeyZ' })).toEqual([])
    expect(key({ key: 'x', code: 'KeyX' })).toEqual(['remove'])
    keepKeymap({})
    expect(key(j)).toEqual(['down'])
  })

  it('a letter never takes what is typed, whatever it stands for; it goes when letters are off', () => {
    render(<Heard scope={scope} />)
    keepKeymap({ 'keys.palette': 'KeyP' })
    expect(key({ key: 'p', code: 'KeyP' }, screen.getByLabelText('text'))).toEqual([])
    expect(key({ key: 'p', code: 'KeyP' })).toEqual(['palette'])
    writeStored('shortcuts', false)
    expect(key({ key: 'p', code: 'KeyP' })).toEqual([])
  })

  it('of another version do no harm: what is no key is left out, and a choice comes before a newer key', () => {
    render(<Heard scope={scope} />)
    writeStored('keymap', { 'keys.down': 7, 'keys.remove': 'Hyper+Moon', 'keys.gone': 'KeyQ', 'keys.palette': 'KeyD' })
    window.dispatchEvent(new StorageEvent('storage', { key: storedKey('keymap') }))
    expect(keymapStore.get()).toEqual({ 'keys.gone': 'KeyQ', 'keys.palette': 'KeyD' })
    expect(key(j)).toEqual(['down'])
    expect(key({ key: 'd', code: 'KeyD' })).toEqual(['palette'])
    writeStored('keymap', 'nonsense')
    window.dispatchEvent(new StorageEvent('storage', { key: storedKey('keymap') }))
    expect(keymapStore.get()).toEqual({})
    expect(keysOf(['KeyJ'], 'constructor')).toEqual(['KeyJ'])
  })
})

describe('what is printed on keys', () => {
  it('is the keys one after the other, and a sign is a sign', () => {
    expect(printedKeys('Alt+Shift+KeyT')).toEqual([['Alt', 'Shift', 'T']])
    expect(printedKeys('KeyG KeyH')).toEqual([['G'], ['H']])
    expect(printedKeys('/')).toEqual([['/']])
    expect(chordsOf(new KeyboardEvent('keydown', { key: 'Enter', code: 'NumpadEnter' }))).toContain('Enter')
  })
})

describe('Ctrl+Z', () => {
  it('takes back the newest thing whose toast is still there, and no other', () => {
    const ran: string[] = []
    toast.success('one', undefined, { label: 'undo', undo: true, run: () => ran.push('one') })
    toast.success('two', undefined, { label: 'undo', undo: true, run: () => ran.push('two') })
    toast.success('three', undefined, { label: 'look', run: () => ran.push('three') })
    expect([undoLast(), undoLast(), undoLast()]).toEqual([true, true, false])
    expect(ran).toEqual(['two', 'one'])
  })

  it('R-KEY-1 waits for the step that is on its way, and takes back no older one in its place', async () => {
    const ran: string[] = []
    const undo = (name: string) => ({ label: 'undo', undo: true, run: () => void ran.push(name) })
    const doing = (name: string, fails = false) => {
      let answer: () => void = () => {}
      const answered = new Promise<void>((done) => {
        answer = done
      })
      const told = async () => {
        await answered
        if (fails) throw new Error(name)
        toast.success(name, undefined, undo(name))
      }
      asStep(told()).catch(() => {})
      return () => answer()
    }
    toast.success('older', undefined, undo('older'))
    const answered = doing('newer')
    expect(undoLast()).toBe(true)
    expect(ran).toEqual([])
    answered()
    await expect.poll(() => ran).toEqual(['newer'])

    // Pressed twice, it takes back both; where the step has failed, the first press had nothing to take back.
    const twice = doing('third')
    undoLast()
    undoLast()
    twice()
    await expect.poll(() => ran).toEqual(['newer', 'third', 'older'])
    toast.success('kept', undefined, undo('kept'))
    const failed = doing('failed', true)
    undoLast()
    const after = doing('after')
    failed()
    after()
    await expect.poll(() => ran).toEqual(['newer', 'third', 'older', 'after'])
    const alone = doing('alone', true)
    undoLast()
    alone()
    for (let turns = 0; turns < 4; turns += 1) await new Promise((turned) => setTimeout(turned))
    expect(ran).toEqual(['newer', 'third', 'older', 'after'])
    expect(undoLast()).toBe(true)
    expect(ran).toEqual(['newer', 'third', 'older', 'after', 'kept'])
  })

  it('R-KEY-1 takes back each of two steps that are told by the same words', () => {
    const ran: string[] = []
    for (const name of ['first', 'second'])
      toast.success('removed', undefined, { label: 'undo', undo: true, run: () => ran.push(name) })
    expect(toasts.get()).toHaveLength(1)
    expect([undoLast(), undoLast(), undoLast()]).toEqual([true, true, false])
    expect(ran).toEqual(['second', 'first'])
    expect(toasts.get()).toEqual([])
  })
})
