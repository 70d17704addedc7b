import { Button, Group, Paper, Text } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { FileButton } from '../ui/file-button.tsx'
import { Icon } from '../ui/icon.tsx'

interface FileZoneProps {
  /** The file name extensions to offer, such as `.json`. */
  readonly accept: string
  readonly label: string
  readonly hint: string
  readonly isLoading?: boolean
  readonly onFile: (file: File) => void
}

/** Takes one file, dropped or selected. */
export function FileZone({ accept, label, hint, isLoading = false, onFile }: FileZoneProps) {
  const [isOver, setIsOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const [file] = event.dataTransfer.files
    if (file && !isLoading) onFile(file)
  }
  return (
    <Paper
      withBorder
      p="lg"
      style={{ borderStyle: 'dashed', ...(isOver && { borderColor: 'var(--mantine-primary-color-filled)' }) }}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Group gap="sm" justify="center">
        <FileButton accept={accept} onChange={(file) => file && onFile(file)}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<Icon name="upload" />} loading={isLoading}>
              {label}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </Group>
    </Paper>
  )
}
