import { dict } from '@data-brain/contract'
import { SystemSwitch } from './layout.tsx'
import { DictPage } from './page.tsx'

/** The system dictionary, with dictionaries and entries one over the other. */
export default function VerticalDictPage() {
  return <DictPage entity={dict} orientation="vertical" layoutSwitch={<SystemSwitch to="horizontal" />} />
}
