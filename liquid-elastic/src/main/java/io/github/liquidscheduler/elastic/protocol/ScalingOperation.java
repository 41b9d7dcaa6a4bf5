package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.ScalingRequest.Cancel;
import io.github.liquidscheduler.elastic.ScalingRequest.Migrate;
import io.github.liquidscheduler.elastic.ScalingRequest.NoReplacement;
import io.github.liquidscheduler.elastic.ScalingRequest.ScaleIn;
import io.github.liquidscheduler.elastic.ScalingRequest.ScaleOut;
import io.github.liquidscheduler.elastic.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one scaling operation in flight: all requests whose switch is not yet decided, merged. New
 * workers register, are told to prepare, and report ready; when all are, the switch is decided.
 */
final class ScalingOperation {
  private static final int MOST_REQUESTS = 1000;
  private static final int MOST_WORKERS = 10_000;

  private final Map<String, ScalingRequest> requests = new LinkedHashMap<>();
  private final Map<WorkerId, Joining> joining = new LinkedHashMap<>();
  private List<WorkerId> announced = List.of();
  private @Nullable Long switchAt;

  private static final class Joining {
    private final Instant since;
    private boolean registered;
    private boolean ready;

    Joining(Instant since) {
      this.since = since;
    }
  }

  boolean isEmpty() {
    return requests.isEmpty();
  }

  boolean isDecided() {
    return switchAt != null;
  }

  void decide(long at) {
    switchAt = at;
  }

  boolean isDueAt(long step) {
    return switchAt != null && switchAt <= step;
  }

  boolean has(String id) {
    return requests.containsKey(id);
  }

  List<ScalingRequest> requests() {
    return List.copyOf(requests.values());
  }

  /** Returns true if a request can be merged: nobody would both join and leave, nor too many. */
  boolean canMerge(ScalingRequest request) {
    return !isDecided()
        && requests.size() < MOST_REQUESTS
        && joining.size() + joins(request).size() <= MOST_WORKERS
        && joins(request).stream().noneMatch(leaving()::contains)
        && leaves(request).stream().noneMatch(joining::containsKey);
  }

  void add(ScalingRequest request, Instant now) {
    requests.put(request.id(), request);
    joins(request).forEach(worker -> joining.putIfAbsent(worker, new Joining(now)));
  }

  /** Forgets a request, and returns the workers that now need not join. */
  List<WorkerId> remove(String id) {
    requests.remove(id);
    List<WorkerId> unwanted = new ArrayList<>(joining.keySet());
    requests.values().forEach(request -> unwanted.removeAll(joins(request)));
    unwanted.forEach(joining::remove);
    return unwanted;
  }

  /** Forgets a new worker that is late or lost, and returns the requests that wanted it. */
  List<String> drop(WorkerId worker) {
    joining.remove(worker);
    List<String> affected = new ArrayList<>();
    for (ScalingRequest request : requests()) {
      if (joins(request).contains(worker)) {
        affected.add(request.id());
        if (joins(request).stream().noneMatch(joining::containsKey)) {
          requests.remove(request.id());
        }
      }
    }
    return affected;
  }

  boolean isJoining(WorkerId worker) {
    return joining.containsKey(worker);
  }

  void registered(WorkerId worker) {
    Joining state = joining.get(worker);
    if (state != null) {
      state.registered = true;
    }
  }

  void ready(WorkerId worker) {
    Joining state = joining.get(worker);
    if (state != null) {
      state.registered = true;
      state.ready = true;
    }
  }

  boolean allRegistered() {
    return joining.values().stream().allMatch(state -> state.registered);
  }

  boolean allReady() {
    return joining.values().stream().allMatch(state -> state.ready);
  }

  Set<WorkerId> joining() {
    return new LinkedHashSet<>(joining.keySet());
  }

  /** Returns the workers that were waited for longer than this. */
  List<WorkerId> late(Instant now, Duration timeout) {
    return joining.entrySet().stream()
        .filter(entry -> !entry.getValue().ready)
        .filter(entry -> !now.isBefore(entry.getValue().since.plus(timeout)))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns the workers after the switch: those who stay in their order, then those who join. */
  List<WorkerId> membersAfter(List<WorkerId> members, Collection<WorkerId> lost) {
    Set<WorkerId> after = new LinkedHashSet<>(members);
    after.removeAll(leaving());
    after.addAll(joining.keySet());
    after.removeAll(lost);
    return List.copyOf(after);
  }

  /** Returns the same, but that those who leave stay. */
  List<WorkerId> membersBeforeAnyLeaves(List<WorkerId> members, Collection<WorkerId> lost) {
    Set<WorkerId> after = new LinkedHashSet<>(members);
    after.addAll(joining.keySet());
    after.removeAll(lost);
    return List.copyOf(after);
  }

  /** Returns the rest of the operation once all joining workers have joined. */
  ScalingOperation withoutJoins() {
    ScalingOperation rest = new ScalingOperation();
    rest.requests.putAll(requests);
    return rest;
  }

  /** Returns true if the topology to be was not announced before. */
  boolean announce(List<WorkerId> topology) {
    boolean isNew = !announced.equals(topology);
    announced = topology;
    return isNew;
  }

  private Set<WorkerId> leaving() {
    Set<WorkerId> leaving = new LinkedHashSet<>();
    requests.values().forEach(request -> leaving.addAll(leaves(request)));
    return leaving;
  }

  static List<WorkerId> joins(ScalingRequest request) {
    return switch (request) {
      case ScaleOut out -> out.workers();
      case Migrate migrate -> migrate.to();
      case ScaleIn in -> List.of();
      case Cancel cancel -> List.of();
      case NoReplacement none -> List.of();
    };
  }

  static List<WorkerId> leaves(ScalingRequest request) {
    return switch (request) {
      case ScaleIn in -> in.workers();
      case Migrate migrate -> migrate.from();
      case ScaleOut out -> List.of();
      case Cancel cancel -> List.of();
      case NoReplacement none -> List.of();
    };
  }
}
