import { Drawer, Modal } from 'antd'
import type { ReactNode } from 'react'
import { useScreenClass } from '../../ui/screen.ts'

interface ShellProps {
  readonly open: boolean
  readonly title: ReactNode
  readonly footer: ReactNode
  /** Width of a dialog; a drawer without it. */
  readonly dialog: number | undefined
  /** Whether a drawer for one column of fields is enough. */
  readonly narrow: boolean
  readonly onClose: () => void
  readonly onShown: (shown: boolean) => void
  readonly children: ReactNode
}

const WIDTHS = { 3: 720, 2: 640, 1: '100%', 0: '100%' } as const
const NARROW = { ...WIDTHS, 3: 440, 2: 440 } as const

/** What a form stands in: a drawer at the side, or a dialog where the page wants one. */
export function FormShell({ open, title, footer, dialog, narrow, onClose, onShown, children }: ShellProps) {
  const screen = useScreenClass()
  if (dialog !== undefined) {
    return (
      <Modal
        open={open}
        width={dialog}
        title={title}
        footer={footer}
        mask={{ closable: false }}
        onCancel={onClose}
        afterOpenChange={onShown}
      >
        {children}
      </Modal>
    )
  }
  return (
    <Drawer
      open={open}
      size={(narrow ? NARROW : WIDTHS)[screen]}
      rootClassName={narrow ? 'form-drawer form-narrow' : 'form-drawer'}
      title={title}
      footer={footer}
      closable={{ placement: 'end' }}
      onClose={onClose}
      afterOpenChange={onShown}
    >
      {children}
    </Drawer>
  )
}
