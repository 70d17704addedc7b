import { EmptyState } from './empty-state.tsx'

/** Stands where somebody may not look, and says what to ask for. */
export function NoPermission({ permission }: { readonly permission: string }) {
  return (
    <EmptyState title="You may not see this page">
      It needs the permission “{permission}”. An administrator can give it to one of your roles.
    </EmptyState>
  )
}
