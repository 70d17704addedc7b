import { Button, CloseButton, Group, Paper, Title } from '@mantine/core'
import { useId, useState } from 'react'
import { useAiAvailability } from '../../ai/features.ts'
import { WithinCeiling } from '../../ai/within-ceiling.tsx'
import { useMay } from '../../api/session.ts'
import type { SetValue } from '../../forms/use-draft.ts'
import type { EntityDraft } from '../entity/entity-draft.ts'
import { ExtractInForm } from '../extraction/extract-in-form.tsx'
import { TranslateText } from '../translation/translate-text.tsx'
import { RewriteText } from './rewrite-text.tsx'

const ASSISTANTS = [
  { name: 'rewrite', label: 'Rewrite description', feature: 'ai_writing_assistant', permissions: [] },
  { name: 'translate', label: 'Translate description', feature: 'ai_translation', permissions: [] },
  {
    name: 'extract',
    label: 'Extract entities',
    feature: 'ai_entity_extraction',
    permissions: ['read extracts', 'read attack'],
  },
] as const

interface TextAssistantsProps {
  readonly draft: EntityDraft
  readonly set: SetValue
  /** The id of the entity that is edited; undefined for a new one. */
  readonly entity: string | undefined
}

/** What language models can do with the description in the form of an entity. All of it is saved only with the form. */
export function TextAssistants({ draft, set, entity }: TextAssistantsProps) {
  const may = useMay()
  const { has } = useAiAvailability()
  const [open, setOpen] = useState<string | null>(null)
  const id = useId()
  const text = typeof draft.data.description === 'string' ? draft.data.description : ''
  const offered = ASSISTANTS.filter(({ feature, permissions }) => has(feature) && permissions.every(may))
  if (offered.length === 0 || text.trim() === '') return null
  const chosen = offered.find(({ name }) => name === open)
  const tlp = typeof draft.meta.tlp_color === 'string' ? draft.meta.tlp_color : 'NONE'
  const setText = (description: string) => set(['data', 'description'], description)
  return (
    <>
      <Group gap="xs">
        {offered.map(({ name, label }) => (
          <Button
            key={name}
            size="compact-sm"
            variant={name === open ? 'light' : 'default'}
            aria-expanded={name === open}
            onClick={() => setOpen(name === open ? null : name)}
          >
            {label}
          </Button>
        ))}
      </Group>
      {chosen && (
        <Paper component="section" aria-labelledby={id} withBorder p="md">
          <Group justify="space-between" mb="xs">
            <Title order={2} size="h5" id={id}>
              {chosen.label}
            </Title>
            <CloseButton aria-label={`Close: ${chosen.label}`} onClick={() => setOpen(null)} />
          </Group>
          <WithinCeiling feature={chosen.feature} tlp={tlp}>
            {chosen.name === 'rewrite' && <RewriteText text={text} tlp={tlp} onChange={setText} entity={entity} />}
            {chosen.name === 'translate' && <TranslateText text={text} tlp={tlp} onChange={setText} entity={entity} />}
            {chosen.name === 'extract' && <ExtractInForm draft={draft} tlp={tlp} set={set} entity={entity} />}
          </WithinCeiling>
        </Paper>
      )}
    </>
  )
}
