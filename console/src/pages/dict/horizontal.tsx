import { dict } from '@data-brain/contract'
import { SystemSwitch } from './layout.tsx'
import { DictPage } from './page.tsx'

/** The system dictionary, with dictionaries and entries beside one another. */
export default function HorizontalDictPage() {
  return <DictPage entity={dict} orientation="horizontal" layoutSwitch={<SystemSwitch to="vertical" />} />
}
