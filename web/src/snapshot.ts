/**
 * The snapshot: the memory of a Python that has the core imported and warm, as the difference to a fresh one.
 *
 * Only the pages that differ from the memory of a just created instance are kept. Layout, all numbers little-endian:
 * magic, format, size of the memory, size of a page, number of pages, length of the notes (six 32-bit numbers); the
 * build id (32 bytes); the notes (JSON, filled with zeros to a multiple of four); the number of every page (32-bit);
 * the pages. Whether the bytes are whole is for the loader to check before: it has their hash.
 */
import { IntegrityError } from "./errors.ts";

const MAGIC = 0x54474445; // "EDGT"
const FORMAT = 1;
const HEADER = 24;
const ID = 32;

/** The size of the pages that are compared, in bytes. */
export const PAGE = 1024;

/** A snapshot that was read and found to fit. */
export interface Snapshot {
  /** How many bytes the memory has to have. */
  heapBytes: number;
  /** What Pyodide itself noted about its state. */
  notes: unknown;
  /** Writes the pages over a fresh memory of at least `heapBytes`. */
  apply(heap: Uint8Array): void;
}

/**
 * Reads a snapshot of the build `buildId` (64 hexadecimal digits). Throws IntegrityError when it is none, of another
 * format, of another build, or not as long as it says.
 */
export function readSnapshot(bytes: Uint8Array, buildId: string, path = "snapshot"): Snapshot {
  const refuse = (why: string): never => {
    throw new IntegrityError(why, path);
  };
  if (bytes.length < HEADER + ID) refuse("too short to be a snapshot");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [magic, format, heapBytes, pageBytes, pages, notesBytes] = [0, 4, 8, 12, 16, 20].map((at) =>
    view.getUint32(at, true),
  ) as [number, number, number, number, number, number];
  if (magic !== MAGIC) refuse("not a snapshot of edgegate");
  if (format !== FORMAT) refuse(`a snapshot of format ${format}, and ${FORMAT} is needed`);
  const id = hexadecimal(bytes.subarray(HEADER, HEADER + ID));
  if (id !== buildId) refuse("a snapshot of another build");
  const notesAt = HEADER + ID;
  const numbersAt = notesAt + padded(notesBytes);
  const pagesAt = numbersAt + 4 * pages;
  if (pageBytes === 0 || bytes.length !== pagesAt + pages * pageBytes) refuse("a snapshot that is cut short");
  const numbers = Uint32Array.from({ length: pages }, (_, index) => view.getUint32(numbersAt + 4 * index, true));
  if (numbers.some((page, index) => (page + 1) * pageBytes > heapBytes || (index > 0 && page <= numbers[index - 1]!)))
    refuse("a snapshot whose pages are out of place");
  return {
    heapBytes,
    notes: JSON.parse(new TextDecoder().decode(bytes.subarray(notesAt, notesAt + notesBytes))),
    apply(heap) {
      for (let first = 0; first < pages; ) {
        let next = first + 1;
        while (next < pages && numbers[next] === numbers[next - 1]! + 1) next += 1;
        heap.set(bytes.subarray(pagesAt + first * pageBytes, pagesAt + next * pageBytes), numbers[first]! * pageBytes);
        first = next;
      }
    },
  };
}

/** The bytes of a snapshot of `heap` as the difference to `base`, the memory of a fresh instance. */
export function writeSnapshot(heap: Uint8Array, base: Uint8Array, notes: Uint8Array, buildId: string): Uint8Array {
  const differs = (page: number): boolean => {
    for (let at = page * PAGE; at < (page + 1) * PAGE; at += 1) if (heap[at] !== (base[at] ?? 0)) return true;
    return false;
  };
  const numbers = Array.from({ length: heap.length / PAGE }, (_, page) => page).filter(differs);
  const notesAt = HEADER + ID;
  const numbersAt = notesAt + padded(notes.length);
  const pagesAt = numbersAt + 4 * numbers.length;
  const bytes = new Uint8Array(pagesAt + numbers.length * PAGE);
  const view = new DataView(bytes.buffer);
  [MAGIC, FORMAT, heap.length, PAGE, numbers.length, notes.length].forEach((value, index) =>
    view.setUint32(4 * index, value, true),
  );
  bytes.set(Uint8Array.from(buildId.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)), HEADER);
  bytes.set(notes, notesAt);
  numbers.forEach((page, index) => {
    view.setUint32(numbersAt + 4 * index, page, true);
    bytes.set(heap.subarray(page * PAGE, (page + 1) * PAGE), pagesAt + index * PAGE);
  });
  return bytes;
}

/** Bytes as hexadecimal digits. */
export function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function padded(length: number): number {
  return (length + 3) & ~3;
}
