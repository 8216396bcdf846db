import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { NumberBox, readNumber, type TypedNumber } from '../src/ui/form/number-box.tsx'

afterEach(cleanup)

let kept: TypedNumber = null
function Box({ begin }: { begin: TypedNumber }) {
  const [value, setValue] = useState(begin)
  kept = value
  return <NumberBox aria-label="号" min={1} max={999} value={value} onChange={setValue} />
}

describe('R-LIST-1 a number that is typed', () => {
  it.each([
    ['12', 12],
    ['１２', 12],
    [' 1 200 ', 1200],
    ['1,200', 1200],
    ['12.', 12],
    ['-3.5', -3.5],
    ['\u202d12\u202c', 12],
    ['', null],
    ['七', '七'],
    ['12号', '12号'],
    ['1,2', '1,2'],
    ['99999999999999999999', '99999999999999999999'],
  ])('%j is %j', (text, meant) => expect(readNumber(text)).toBe(meant))

  it('stays where it is none, and is not taken for nothing', () => {
    render(<Box begin={7} />)
    const box = screen.getByRole<HTMLInputElement>('spinbutton')
    fireEvent.change(box, { target: { value: '七号' } })
    fireEvent.blur(box)
    expect([box.value, kept]).toEqual(['七号', '七号'])
    fireEvent.change(box, { target: { value: '１２' } })
    expect([box.value, kept]).toEqual(['１２', 12])
    fireEvent.blur(box)
    expect([box.value, kept]).toEqual(['12', 12])
  })

  it('counts by arrows within its bounds', () => {
    render(<Box begin={998} />)
    const box = screen.getByRole<HTMLInputElement>('spinbutton')
    for (let times = 0; times < 3; times += 1) fireEvent.keyDown(box, { key: 'ArrowUp' })
    expect(box.value).toBe('999')
    fireEvent.keyDown(box, { key: 'ArrowDown' })
    expect(kept).toBe(998)
  })
})
