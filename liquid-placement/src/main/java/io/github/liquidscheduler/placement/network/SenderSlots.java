package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.job.JobId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The jobs with traffic, each with a slot, a small number that is used again once the job has left.
 * Not thread-safe.
 */
final class SenderSlots {

  private final Map<JobId, Integer> slots = new LinkedHashMap<>();
  private final List<@Nullable LinkSender> senders = new ArrayList<>();
  private final List<Integer> freeSlots = new ArrayList<>();

  SenderSlots copy() {
    SenderSlots copy = new SenderSlots();
    copy.slots.putAll(slots);
    copy.senders.addAll(senders);
    copy.freeSlots.addAll(freeSlots);
    return copy;
  }

  /** Moves the traffic of each job to renumbered links. */
  void renumber(int[] numbers) {
    senders.replaceAll(sender -> sender == null ? null : sender.over(numbers));
  }

  /** Returns the slot of a job, or -1 if it is absent. */
  int slotOf(JobId job) {
    return slots.getOrDefault(job, -1);
  }

  boolean isEmpty() {
    return slots.isEmpty();
  }

  /** Returns the number of slots, of which some may have no job. */
  int size() {
    return senders.size();
  }

  /** Adds a job that is absent, and returns its slot. */
  int add(LinkSender sender) {
    int slot = freeSlots.isEmpty() ? senders.size() : freeSlots.removeLast();
    if (slot == senders.size()) {
      senders.add(sender);
    } else {
      senders.set(slot, sender);
    }
    slots.put(sender.job(), slot);
    return slot;
  }

  /** Removes a job that was added. */
  void remove(JobId job) {
    int slot = slotOf(job);
    slots.remove(job);
    senders.set(slot, null);
    freeSlots.add(slot);
  }

  /** Returns the job of a slot. */
  LinkSender get(int slot) {
    LinkSender sender = senders.get(slot);
    if (sender == null) {
      throw new IllegalStateException("no job has slot " + slot);
    }
    return sender;
  }
}
