import { Button, Group, Paper, SimpleGrid, Stack, Text, Textarea, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AiNote } from '../../ai/ai-note.tsx'
import { ValueWarning } from '../../ai/value-warning.tsx'
import { call } from '../../api/call.ts'
import type { Entity } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { fieldLabel } from '../../forms/labels.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { inSentence } from '../../ui/in-sentence.ts'
import { RichText } from '../../ui/rich-text.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { invalidateEntities, isUnified } from '../entity/entity-queries.ts'
import { TRANSLATED, type Translated, type Translation } from './translation.ts'

interface Props {
  readonly entity: Entity
  readonly translation: Translation
}

/** Original and translation side by side; each field can be changed and used on its own. */
export function TranslatedFields({ entity, translation }: Props) {
  const { fields, source_language, target_language, placeholders, unverified_values } = translation
  return (
    <Stack>
      <Text size="sm">
        {source_language ? `From ${source_language} to ${target_language}` : `To ${target_language}`}. {placeholders}{' '}
        {placeholders === 1 ? 'value, name or tag was' : 'values, names and tags were'} kept.
      </Text>
      <ValueWarning values={unverified_values} />
      {TRANSLATED.map((name) => {
        const text = fields[name]
        return text !== undefined && <TranslatedField key={name} entity={entity} name={name} text={text} />
      })}
      <AiNote made={translation} />
    </Stack>
  )
}

interface FieldProps {
  readonly entity: Entity
  readonly name: Translated
  readonly text: string
}

function TranslatedField({ entity, name, text }: FieldProps) {
  const may = useMay()
  // The original stays next to its translation, also once that is saved.
  const [original] = useState(entity.data)
  const [draft, setDraft] = useState(text)
  const label = fieldLabel(name)
  const saved = useMutation({
    mutationFn: (value: unknown) => call('PATCH', `entities/${entity.id}`, { data: { data: { [name]: value } } }),
    onSuccess: () => void invalidateEntities(),
  })
  const use = () =>
    saved.mutate(draft, {
      onSuccess: () => showToast(`${label} translated`, () => saved.mutateAsync(original[name] ?? null)),
    })
  const isInUse = entity.data[name] === draft
  return (
    <Paper component="section" aria-label={label} withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        {label}
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <div>
          <Text size="xs" c="dimmed" mb={4}>
            Original
          </Text>
          <RichText text={String(original[name] ?? '')} format={original.description_structuring_format} />
        </div>
        <Textarea
          label="Translation"
          aria-label={`Translation of the ${inSentence(label)}`}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          autosize
          minRows={1}
          maxRows={24}
        />
      </SimpleGrid>
      <ErrorFaults error={saved.error} />
      {may('modify entities') && !isUnified(entity) && (
        <Group mt="sm">
          <Button
            size="compact-sm"
            variant="default"
            disabled={isInUse || draft.trim() === ''}
            loading={saved.isPending}
            onClick={use}
          >
            {isInUse ? 'In use' : `Replace ${inSentence(label)}`}
          </Button>
        </Group>
      )}
    </Paper>
  )
}
