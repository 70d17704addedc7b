import { EmptyState } from '../ui/empty-state.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'

/** Shown for an unknown address. */
export function NotFound() {
  return (
    <>
      <PageHead title="There is nothing here" />
      <EmptyState title="No page has this address" action={<PageLink to="/">Go to the search</PageLink>}>
        The address may be wrong, or what stood here may be gone.
      </EmptyState>
    </>
  )
}
