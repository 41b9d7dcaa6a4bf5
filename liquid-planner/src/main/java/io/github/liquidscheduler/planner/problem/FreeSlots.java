package io.github.liquidscheduler.planner.problem;

/**
 * The slots of each pool by their number of free GPUs, so that one with enough is drawn in constant
 * time; and the free GPUs of each rack. Not thread-safe.
 */
public final class FreeSlots {

  private final SlotTable slotTable;
  private final int width;
  private final int[][] members;
  private final int[] size;
  private final int[] at;
  private final int[] rackFree;

  FreeSlots(SlotTable slotTable) {
    this.slotTable = slotTable;
    int pools = slotTable.pools.size();
    width = slotTable.largestSlot + 1;
    members = new int[pools * width][16];
    size = new int[pools * width];
    at = new int[slotTable.slots];
    rackFree = new int[slotTable.racks];
    for (int slot = 0; slot < slotTable.slots; slot++) {
      add(slot, slotTable.free[slot]);
      rackFree[slotTable.rack[slot]] += slotTable.free[slot];
    }
  }

  /** Notes that the free GPUs of a slot have changed; below 0 a slot is in no list. */
  void change(int slot, int before, int now) {
    if (before == now) {
      return;
    }
    rackFree[slotTable.rack[slot]] += now - before;
    if (before >= 0) {
      remove(slot, before);
    }
    if (now >= 0) {
      add(slot, now);
    }
  }

  /** Returns the free GPUs of a rack, of all pools. */
  public int ofRack(int rack) {
    return rackFree[rack];
  }

  /** Returns the number of slots of the pool with at least {@code gpus} free GPUs. */
  public int count(int pool, int gpus) {
    int sum = 0;
    for (int free = gpus; free < width; free++) {
      sum += size[pool * width + free];
    }
    return sum;
  }

  /** Returns one of the {@link #count} slots, by its number. */
  public int slot(int pool, int gpus, int number) {
    int left = number;
    int bucket = pool * width + gpus;
    while (left >= size[bucket]) {
      left -= size[bucket++];
    }
    return members[bucket][left];
  }

  private void add(int slot, int free) {
    int bucket = slotTable.pool[slot] * width + free;
    if (size[bucket] == members[bucket].length) {
      members[bucket] = java.util.Arrays.copyOf(members[bucket], 2 * size[bucket]);
    }
    at[slot] = size[bucket];
    members[bucket][size[bucket]++] = slot;
  }

  private void remove(int slot, int free) {
    int bucket = slotTable.pool[slot] * width + free;
    int last = members[bucket][--size[bucket]];
    members[bucket][at[slot]] = last;
    at[last] = at[slot];
  }
}
