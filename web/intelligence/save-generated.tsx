import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Made } from '../ai/made.ts'
import { call } from '../api/call.ts'
import { useMay } from '../api/session.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { invalidateEntities } from './entity/entity-queries.ts'

interface SaveGeneratedProps {
  readonly made: Made
  readonly title: string
  readonly text: string
  readonly format: 'html' | 'markdown'
  /** The types to choose from; the first one is preselected. */
  readonly types: readonly ('note' | 'report')[]
}

const NAMES = { note: 'Note', report: 'Report' }

/** Saves what a model wrote as an entity. It is as restricted as the most restricted of what it was made from, and says how it was made. */
export function SaveGenerated({ made, title: proposed, text, format, types }: SaveGeneratedProps) {
  const may = useMay()
  const [type, setType] = useState(types[0] ?? 'note')
  const [title, setTitle] = useState(proposed)
  const saved = useMutation({
    mutationFn: async () => {
      const data = { type, title: title.trim(), description: text, description_structuring_format: format }
      const meta = { tlp_color: made.tlp_color, generated_by: made.generated_by }
      const answer = await call<{ data: readonly { id: string }[] }>('PUT', 'entities', { data: [{ data, meta }] })
      return answer.data[0]?.id ?? ''
    },
    onSuccess: () => void invalidateEntities(),
  })
  if (!may('modify entities')) return null
  if (saved.data)
    return (
      <Group justify="flex-end" role="status">
        Saved.
        <Link to="/entities/$id" params={{ id: saved.data }}>
          Open {NAMES[type].toLowerCase()}
        </Link>
      </Group>
    )
  return (
    <Stack gap="xs" component="section" aria-label="Save">
      <ErrorFaults error={saved.error} />
      <Group align="flex-end">
        {types.length > 1 && (
          <SegmentedControl
            size="sm"
            aria-label="Type"
            value={type}
            onChange={(value) => setType(value as 'note' | 'report')}
            data={types.map((value) => ({ value, label: NAMES[value] }))}
          />
        )}
        <TextInput flex={1} miw={200} label="Title" value={title} onChange={(event) => setTitle(event.target.value)} />
        <Button loading={saved.isPending} disabled={title.trim() === ''} onClick={() => saved.mutate()}>
          Save as {NAMES[type].toLowerCase()}
        </Button>
      </Group>
    </Stack>
  )
}
