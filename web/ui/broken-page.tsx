import { Button, Code, Group } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { EmptyState } from './empty-state.tsx'
import { PageHead } from './page-head.tsx'

/** Stands where a page broke: the rest goes on working. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  return (
    <div role="alert">
      <PageHead title="This page broke" />
      <EmptyState
        title="Something went wrong in this page"
        action={
          <Group mt="sm">
            <Button onClick={reset}>Try again</Button>
            <Button variant="default" onClick={() => window.location.reload()}>
              Reload
            </Button>
          </Group>
        }
      >
        It is our fault, not yours. What was saved is safe. If it happens again, tell your administrator what you did,
        and this:
        <Code block mt="xs">
          {error instanceof Error ? error.message : String(error)}
        </Code>
      </EmptyState>
    </div>
  )
}
