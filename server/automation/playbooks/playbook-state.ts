export const PLAYBOOK_STATES = ['ACTIVE', 'INACTIVE', 'PAUSED'] as const

/** The state of the playbook `t`, as SQL. */
export const PLAYBOOK_STATE = `case when t.paused_at is not null then 'PAUSED' when t.is_active then 'ACTIVE' else 'INACTIVE' end`
