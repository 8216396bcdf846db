import { expect, test, vi } from 'vitest'
import { toast, toasts } from '../src/ui/toast.ts'

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
