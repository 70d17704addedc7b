import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { PastedResults } from './pasted-results.tsx'

interface PasteDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Looks up a pasted list of indicators. */
export function PasteDialog({ isOpen, onClose }: PasteDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Look up indicators" size="xl">
      <PasteForm />
    </Modal>
  )
}

function PasteForm() {
  const [text, setText] = useState('')
  const looked = useMutation({ mutationFn: lookUp })
  if (looked.data) return <PastedResults {...looked.data} onAgain={() => looked.reset()} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        looked.mutate(text)
      }}
    >
      <Stack>
        <Textarea
          label="Indicators"
          description="Enter one per line, or paste any text that contains indicators. Defanged values are accepted."
          placeholder={'evil[.]example\n192.0.2.1\nd41d8cd98f00b204e9800998ecf8427e'}
          classNames={{ input: 'code' }}
          minRows={10}
          maxRows={20}
          autosize
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <ErrorFaults error={looked.error} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Up to 10,000 at a time. The text is not stored.
          </Text>
          <Button type="submit" loading={looked.isPending} disabled={text.trim() === ''}>
            Look up indicators
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The result of a lookup. */
export interface LookedUp {
  readonly known: readonly Known[]
  readonly unknown: readonly { readonly type: string; readonly value: string }[]
  /** Lines without a recognisable indicator. */
  readonly unread: readonly string[]
}

/** A known observable. */
export interface Known {
  readonly id: number
  readonly type: string
  readonly value: string
  readonly maliciousness: string
  readonly entities_count: number
}

const lookUp = async (text: string): Promise<LookedUp> =>
  (await call<{ data: LookedUp }>('POST', 'observables/look-up', { data: { text } })).data
