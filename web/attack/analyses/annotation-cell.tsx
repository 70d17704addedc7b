import { ActionIcon, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useMay } from '../../api/session.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import type { Annotation } from './analysis.ts'
import { writeAnnotation } from './use-annotations.ts'

interface AnnotationCellProps {
  readonly analysis: number
  readonly node: string
  readonly annotation: Annotation | undefined
}

/** The annotation of a node, which is edited in place. */
export function AnnotationCell(props: AnnotationCellProps) {
  const { node, annotation } = props
  const mayChange = useMay()('modify attack')
  const [isEdited, setIsEdited] = useState(false)
  if (isEdited) return <Editor {...props} onClose={() => setIsEdited(false)} />
  return (
    <Group gap={4} wrap="nowrap" align="flex-start" justify="space-between">
      <Text size="sm" lineClamp={4} component="div">
        {annotation && <PlainText text={annotation.content} />}
      </Text>
      {mayChange && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`${annotation ? 'Edit' : 'Add'} annotation of ${node}`}
          onClick={() => setIsEdited(true)}
        >
          <Icon name={annotation ? 'edit' : 'plus'} size={14} />
        </ActionIcon>
      )}
    </Group>
  )
}

function Editor({ analysis, node, annotation, onClose }: AnnotationCellProps & { readonly onClose: () => void }) {
  const [text, setText] = useState(annotation?.content ?? '')
  const written = useMutation({
    mutationFn: () => writeAnnotation(analysis, node, annotation, text.trim()),
    onSuccess: onClose,
  })
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !written.isPending) written.mutate()
  }
  return (
    <Stack gap={6}>
      <Textarea
        aria-label={`Annotation of ${node}`}
        autosize
        autoFocus
        minRows={2}
        maxRows={12}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKey}
      />
      <ErrorFaults error={written.error} />
      <Group gap="xs">
        <Button size="compact-sm" loading={written.isPending} onClick={() => written.mutate()}>
          {annotation && text.trim() === '' ? 'Delete' : 'Save'}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
