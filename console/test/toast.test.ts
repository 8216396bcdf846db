import { expect, test, vi } from 'vitest'
import { toast, toasts } from '../src/ui/toast.ts'
import { undoLast } from '../src/ui/undo.ts'

test('R-ERR-1 what has gone well takes away the older words of what went wrong, but neither a way on nor what was just said', () => {
  vi.useFakeTimers()
  try {
    toast.error('没有权限')
    toast.error('连接不上服务器', undefined, { label: '重试', run: () => {} })
    vi.advanceTimersByTime(5000)
    toast.error('第 3 行保存失败')
    toast.success('更新成功')
    expect(toasts.get().map(({ text }) => text)).toEqual(['连接不上服务器', '第 3 行保存失败', '更新成功'])
    vi.advanceTimersByTime(5000)
    toast.error('再次失败')
    expect(toasts.get().map(({ text }) => text)).toEqual(['第 3 行保存失败', '更新成功', '再次失败'])
  } finally {
    toasts.set(() => [])
    vi.useRealTimers()
  }
})

test('R-KEY-1 Ctrl+Z means the last step, also where its words stood there before those of an older one', () => {
  vi.useFakeTimers()
  try {
    const done: string[] = []
    const offer = (name: string) => ({ label: '撤销', undo: true, run: () => done.push(name) })
    toast.success('已移除“一班 数学”', undefined, offer('first'))
    vi.advanceTimersByTime(500)
    toast.success('已排到周一第2节', undefined, offer('second'))
    vi.advanceTimersByTime(500)
    toast.success('已移除“一班 数学”', undefined, offer('third'))
    for (let presses = 0; presses < 3; presses += 1) undoLast()
    expect(done).toEqual(['third', 'second', 'first'])
  } finally {
    toasts.set(() => [])
    vi.useRealTimers()
  }
})
