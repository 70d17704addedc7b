import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'

const MB = 1024 ** 2
const GB = 1024 ** 3

/** The resources of the embedded server: memory of the machine or container, size of the disk of the data folder. */
export type Machine = { memory: number; disk: number }

/** Measures the machine for `serverSettings`. */
export async function measureMachine(folder: string): Promise<Machine> {
  const { blocks, bsize } = await statfs(folder)
  // The kernel enforces the container's limit, whatever the host has. Without a limit it is a huge number.
  return { memory: Math.min(totalmem(), process.constrainedMemory() || Infinity), disk: blocks * bsize }
}

/** The settings of the embedded server, in proportion to the machine. */
export function serverSettings({ memory, disk }: Machine): Record<string, string> {
  return {
    listen_addresses: '',
    // Relative to the data directory, so that no parent folder is traversed and the path is never too long to bind.
    unix_socket_directories: '.',
    unix_socket_permissions: '0700',
    cluster_name: 'corvus',
    // Memory is allocated only when used, so a large cache costs an idle server nothing.
    shared_buffers: megabytes(memory / 8, 32 * MB, 8 * GB),
    effective_cache_size: megabytes(memory / 2, 128 * MB, 64 * GB),
    work_mem: megabytes(memory / 384, 4 * MB, 64 * MB),
    maintenance_work_mem: megabytes(memory / 48, 32 * MB, GB),
    max_wal_size: megabytes(disk / 20, 512 * MB, 8 * GB),
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    jit: 'off',
    autovacuum_naptime: '15s',
    fsync: 'on',
    synchronous_commit: 'on',
    // /dev/shm is 64 MB in a default container and is emptied when its owner logs out (systemd's RemoveIPC); both
    // break parallel queries. Space reserved in the main region serves nearly all of them.
    dynamic_shared_memory_type: 'mmap',
    min_dynamic_shared_memory: megabytes(memory / 64, 16 * MB, 256 * MB),
    max_logical_replication_workers: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The log must not contain user data: no statements, no details with key values.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  }
}

function megabytes(bytes: number, min: number, max: number): string {
  return `${Math.floor(Math.min(Math.max(bytes, min), max) / MB)}MB`
}
