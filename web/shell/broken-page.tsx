import { Button, Code, Group } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { showErrorMessage } from '../ui/toasts.tsx'
import { PageNotLoaded } from './lazy-page.ts'

/** Replaces a page that threw an error; the rest of the application keeps working. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  if (error instanceof PageNotLoaded) return <UnloadedPage />
  return (
    <div role="alert">
      <PageHead title="Page error" />
      <EmptyState
        title="This page ran into an error"
        action={
          <Group mt="sm">
            <Button onClick={reset}>Try again</Button>
            <ReloadButton />
          </Group>
        }
      >
        Your saved data is safe. If the error persists, report it to your administrator with what you did and this
        message:
        <Code block mt="xs">
          {error instanceof Error ? error.message : String(error)}
        </Code>
      </EmptyState>
    </div>
  )
}

/** Shown when the code of a page could not be loaded, so that the user stays in the application until the server responds. */
function UnloadedPage() {
  return (
    <div role="alert">
      <PageHead title="This page could not be loaded" />
      <EmptyState
        title="The server did not respond"
        action={
          <Button mt="sm" onClick={() => void reloadOnceReachable()}>
            Try again
          </Button>
        }
      >
        Try again in a moment, or go back: pages that you have already opened still work.
      </EmptyState>
    </div>
  )
}

/** Browsers do not repeat failed imports of code that several pages share, so the whole document is loaded again. */
async function reloadOnceReachable(): Promise<void> {
  try {
    await fetch(import.meta.url, { cache: 'no-store' })
  } catch {
    showErrorMessage('The server still does not respond.')
    return
  }
  window.location.reload()
}

const ReloadButton = () => (
  <Button variant="default" onClick={() => window.location.reload()}>
    Reload page
  </Button>
)
