import { Button, Code, Group } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { PageNotLoaded } from '../lazy-page.ts'
import { EmptyState } from './empty-state.tsx'
import { PageHead } from './page-head.tsx'

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

/** Shown when the code of a page could not be loaded, so that the user stays in the application. */
function UnloadedPage() {
  const router = useRouter()
  return (
    <div role="alert">
      <PageHead title="This page could not be loaded" />
      <EmptyState
        title="The server did not respond"
        action={
          <Group mt="sm">
            <Button onClick={() => void router.invalidate()}>Try again</Button>
            <ReloadButton />
          </Group>
        }
      >
        Try again in a moment, or go back: pages that you have already opened still work. If the server was updated in
        the meantime, reload the page.
      </EmptyState>
    </div>
  )
}

const ReloadButton = () => (
  <Button variant="default" onClick={() => window.location.reload()}>
    Reload page
  </Button>
)
