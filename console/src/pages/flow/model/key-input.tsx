import { useEffect, useRef } from 'react'
import { type ControlProps, fieldKinds } from '../../../entity/fields/index.ts'
import { useValue } from '../../../ui/form/store.ts'
import { pinyinInitials } from '../../../ui/pinyin.ts'

const Text = fieldKinds.text.Control

/** A key out of a name: its letters, and of Chinese signs the first of their pinyin. */
export function keyOfName(name: string): string {
  const letters = pinyinInitials(name)
    .normalize('NFKD')
    .replace(/[^0-9a-z]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return letters === '' || /^[a-z]/.test(letters) ? letters.slice(0, 64) : `p-${letters}`.slice(0, 64)
}

/** The key of a process, proposed from its name until somebody types another one. */
export function KeyInput(props: ControlProps) {
  const { form, name, disabled, onChange } = props
  const title = String(useValue(form, 'name') ?? '')
  const key = String(useValue(form, name) ?? '')
  const proposed = useRef('')
  const put = useRef(onChange)
  put.current = onChange
  useEffect(() => {
    if (disabled || form.initial(name)) return
    const next = keyOfName(title)
    if (key !== '' && key !== proposed.current) return
    if (next === key) return
    proposed.current = next
    put.current(next)
  }, [title, key, disabled, form, name])
  return <Text {...props} />
}
