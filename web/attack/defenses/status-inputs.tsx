import { ActionIcon, Group, NativeSelect, Text, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../api/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { showErrorToast } from '../../ui/toasts.tsx'
import {
  coverageOf,
  NO_STATUS,
  SCORES,
  STATUS_NAMES,
  type Status,
  type StatusValues,
  scoreAfter,
  statusAfter,
  writeStatus,
} from './status.ts'
import { StatusBadge } from './status-badge.tsx'
import { StatusDialog } from './status-dialog.tsx'

interface StatusInputsProps {
  readonly defense: { readonly id: number; readonly name: string; readonly external_id: string | null }
  readonly status: StatusValues | undefined
}

const STATUS_OPTIONS = STATUS_NAMES.map(({ value, label }) => ({ value, label }))
const SCORE_OPTIONS = SCORES.map((score) => ({ value: String(score), label: `${score} (${coverageOf(score)})` }))

/** The status and the score of a defense, changed in place. */
export function StatusInputs({ defense, status = NO_STATUS }: StatusInputsProps) {
  const mayChange = useMay()('modify attack')
  const [isOpen, setIsOpen] = useState(false)
  const written = useMutation({
    mutationFn: (values: Partial<StatusValues>) => writeStatus(defense.id, values),
    onError: showErrorToast,
  })
  const name = defense.external_id ?? defense.name
  const shown = written.isPending ? { ...status, ...written.variables } : status
  if (!mayChange)
    return (
      <Group gap={8} wrap="nowrap">
        <StatusBadge status={shown.status} />
        <Text size="sm">
          {shown.score} of 4 ({coverageOf(shown.score)})
        </Text>
      </Group>
    )
  // Native inputs: a table contains hundreds of them.
  return (
    <Group gap={6} wrap="nowrap">
      <NativeSelect
        size="xs"
        w={96}
        aria-label={`Status of ${name}`}
        data={STATUS_OPTIONS}
        value={shown.status}
        disabled={written.isPending}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value as Status
          written.mutate({ status: next, score: scoreAfter(next, shown.score) })
        }}
      />
      <NativeSelect
        size="xs"
        w={92}
        aria-label={`Score of ${name}`}
        data={SCORE_OPTIONS}
        value={String(shown.score)}
        disabled={written.isPending}
        onChange={({ currentTarget }) => {
          const next = Number(currentTarget.value)
          written.mutate({ score: next, status: statusAfter(next, shown.status) })
        }}
      />
      <Tooltip label="Owner, note and review date">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Edit status of ${name}`}
          onClick={() => setIsOpen(true)}
        >
          <Icon name="edit" size={14} />
        </ActionIcon>
      </Tooltip>
      {isOpen && <StatusDialog defense={defense} status={status} onClose={() => setIsOpen(false)} />}
    </Group>
  )
}
