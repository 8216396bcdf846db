import { Switch } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../ui/words.ts'
import type { DictRow } from './calls.ts'

interface SealProps {
  readonly row: DictRow
  readonly name: string
  readonly disabled: boolean
  readonly onSeal: (row: DictRow, isSealed: 0 | 1) => void
}

/** The sealed switch of a row. */
export function SealSwitch({ row, name, disabled, onSeal }: SealProps) {
  const t = useT()
  return (
    <Switch
      size="small"
      aria-label={t('dict.sealedOf', { name })}
      checked={row.isSealed === 1}
      disabled={disabled}
      onChange={(on) => onSeal(row, on ? 1 : 0)}
    />
  )
}

/** What is sealed steps back. */
export const fadedIfSealed = (row: DictRow, content: ReactNode): ReactNode =>
  row.isSealed === 1 ? <span className="dict-faded">{content}</span> : content
