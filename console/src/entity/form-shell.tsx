import { Drawer, Modal } from 'antd'
import type { ReactNode } from 'react'
import type { ScreenClass } from '../ui/screen.ts'

interface ShellProps {
  readonly open: boolean
  readonly title: ReactNode
  readonly footer: ReactNode
  readonly screen: ScreenClass
  /** Width of a dialog; a drawer without it. */
  readonly dialog: number | undefined
  readonly onClose: () => void
  readonly onShown: (shown: boolean) => void
  readonly children: ReactNode
}

const WIDTHS = { 3: 720, 2: 640, 1: '100%', 0: '100%' } as const

/** What a form stands in: a drawer at the side, or a dialog where the page wants one. */
export function FormShell({ open, title, footer, screen, dialog, onClose, onShown, children }: ShellProps) {
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
      size={WIDTHS[screen]}
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
