import { dictbiz } from '@data-brain/contract'
import { useState } from 'react'
import { readStored, writeStored } from '../../ui/stored.ts'
import { LayoutButton } from './layout.tsx'
import { DictPage, type Orientation } from './page.tsx'

const remembered = 'dictbiz-layout'

/** The tenant's own dictionaries; how the page lies is remembered. */
export default function BusinessDictPage() {
  const [orientation, setOrientation] = useState<Orientation>(() =>
    readStored<string>(remembered) === 'vertical' ? 'vertical' : 'horizontal',
  )
  const other = orientation === 'vertical' ? 'horizontal' : 'vertical'
  const turn = () => {
    writeStored(remembered, other)
    setOrientation(other)
  }
  return (
    <DictPage entity={dictbiz} orientation={orientation} layoutSwitch={<LayoutButton to={other} onClick={turn} />} />
  )
}
