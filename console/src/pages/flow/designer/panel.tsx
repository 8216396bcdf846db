import type { Card, CardModel } from '@data-brain/contract/flow/cards'
import { useMemo } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { useT } from '../../../ui/words.ts'
import { ConditionInput } from './condition-input.tsx'
import { DesignContext } from './context.ts'
import { approvalsBefore, isRemovable, replaceCard, replaceWay, type Stop, stops } from './edit.ts'
import { FormInput } from './form-input.tsx'
import { Section, TextField } from './parts.tsx'
import { PeopleInput } from './people-input.tsx'
import { TaskSettings } from './task-settings.tsx'

interface PanelProps {
  readonly model: CardModel
  readonly selected: string
  readonly onChange: (model: CardModel, mark?: string) => void
  readonly onRemove: (key: string) => void
}

/** The settings of the card that is chosen. */
export function CardPanel({ model, selected, onChange, onRemove }: PanelProps) {
  const t = useT()
  const stop = stops(model).find(({ key }) => key === selected) ?? stops(model)[0]!
  const context = useMemo(
    () => ({
      form: model.form,
      formKey: model.formKey,
      before: approvalsBefore(model.cards, stop.key).map(({ id, name }) => ({ id, name })),
    }),
    [model, stop.key],
  )
  return (
    <DesignContext value={context}>
      <StopSettings key={stop.key} stop={stop} model={model} onChange={onChange} />
      {isRemovable(stop) && (
        <button type="button" className="button quiet design-remove" onClick={() => onRemove(stop.key)}>
          <Icon name="trash-2" size={16} />
          {t(stop.kind === 'way' ? 'design.removeWay' : 'design.removeCard')}
        </button>
      )}
    </DesignContext>
  )
}

interface StopProps extends Pick<PanelProps, 'model' | 'onChange'> {
  readonly stop: Stop
}

function StopSettings({ stop, model, onChange }: StopProps) {
  const t = useT()
  if (stop.kind === 'start')
    return (
      <>
        <h2>{t('design.start')}</h2>
        <Section label={t('design.form')}>
          {model.formKey !== undefined && <p className="muted">{t('design.formKeyNote', { key: model.formKey })}</p>}
          <FormInput form={model.form} onChange={(form, mark) => onChange({ ...model, form }, mark)} />
        </Section>
      </>
    )
  if (stop.kind === 'end')
    return (
      <>
        <h2>{t('design.end')}</h2>
        <p className="muted">{t('design.endHelp')}</p>
      </>
    )
  if (stop.kind === 'way') {
    const { branch, at, way } = stop
    const isLast = at === branch.ways.length - 1
    return (
      <>
        <h2>{way.name || t('design.kindOf.way')}</h2>
        <TextField
          label={t('design.wayName')}
          value={way.name}
          max={50}
          onChange={(name) => onChange(replaceWay(model, branch.id, at, { ...way, name }), `${stop.key} name`)}
        />
        {isLast ? (
          <p className="muted">{t('design.otherwiseHelp')}</p>
        ) : (
          <Section label={t('design.when')}>
            <ConditionInput
              text={way.when}
              onChange={(when) => onChange(replaceWay(model, branch.id, at, { ...way, when }), `${stop.key} when`)}
            />
          </Section>
        )}
      </>
    )
  }
  if (stop.kind !== 'card') return null
  return <CardSettings card={stop.card} onChange={(card, mark) => onChange(replaceCard(model, card), mark)} />
}

function CardSettings({
  card,
  onChange,
}: {
  readonly card: Card
  readonly onChange: (card: Card, mark?: string) => void
}) {
  const t = useT()
  return (
    <>
      <h2>{card.name || t(`design.kindOf.${card.kind}`)}</h2>
      <TextField
        label={t('design.cardName')}
        value={card.name}
        max={50}
        onChange={(name) => onChange({ ...card, name }, `${card.id} name`)}
      />
      {card.kind === 'approval' && (
        <TaskSettings
          setup={card}
          onChange={({ task, loop }, mark) => {
            const { loop: _, ...rest } = card
            onChange({ ...rest, task, ...(loop ? { loop } : {}) }, mark && `${card.id} ${mark}`)
          }}
        />
      )}
      {card.kind === 'copy' && (
        <Section label={t('design.copyTo')}>
          <PeopleInput rules={card.to} onChange={(to) => onChange({ ...card, to })} />
        </Section>
      )}
      {card.kind === 'branch' && <p className="muted">{t('design.branchHelp')}</p>}
    </>
  )
}
