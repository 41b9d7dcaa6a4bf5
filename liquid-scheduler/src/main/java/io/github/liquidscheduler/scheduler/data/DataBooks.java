package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.rollback.BeforeImages;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: double-entry accounts of data set copies. Every byte sent to a node ends as read, lost,
 *   unread or under way, and every prediction as true or false, which calibrates later ones.
 * Invariants: sent = read + lost + unread + under way (PrefetchLaws); readers is derived from the
 *   runs' missing copies; inner copy maps are replaced, never changed, so that copies of the books
 *   share them; a turn's before-image is taken at its first change.
 * Cost: copy and the first change of a turn are O(nodes + runs + copies under way or unread);
 *   freeDisk is O(copies on the node + transfers); a note is O(copies on its node), arrived also
 *   O(runs), judge O(predictions).
 * Rejected: bounding all waste so far instead of each copy's own probability, which lets through
 *   unlikely reads while there is slack and nothing after early waste.
 */
/**
 * The data set copies of each node, transfers under way, data that running jobs still read, and the
 * reliability of past predictions. Mutable.
 */
public final class DataBooks {
  /** The copies of each node, least recently used first; an inner map is never changed. */
  private final Map<NodeId, Map<String, Dataset>> copies = new HashMap<>();

  private final Map<CopyKey, PrefetchedCopy> underWay = new LinkedHashMap<>();
  private final Map<CopyKey, PrefetchedCopy> unread = new LinkedHashMap<>();
  private final Map<JobId, Run> runs = new LinkedHashMap<>();

  /** The number of running jobs that wait for each copy; derived from the runs. */
  private final Map<CopyKey, Integer> readers = new HashMap<>();

  private RunTimeRatios ratios = new RunTimeRatios();
  private Predictions predictions = new Predictions();
  private double sent;
  private double read;
  private double lost;
  private Instant lookedAt = Instant.MIN;
  private @Nullable Instant lookAgain;
  private final BeforeImages<DataBooks> images = new BeforeImages<>();

  /** Makes the books of a cluster, with the initial copies of its nodes. */
  public DataBooks(ClusterTopology topology) {
    topology.nodes().forEach(this::put);
  }

  private DataBooks() {}

  /** Returns an independent copy; O(nodes + runs). */
  public DataBooks copy() {
    DataBooks copy = new DataBooks();
    copy.become(this);
    return copy;
  }

  /** Takes over the content of other books. */
  private void become(DataBooks other) {
    replace(copies, other.copies);
    replace(underWay, other.underWay);
    replace(unread, other.unread);
    replace(runs, other.runs);
    replace(readers, other.readers);
    ratios = other.ratios.copy();
    predictions = other.predictions.copy();
    sent = other.sent;
    read = other.read;
    lost = other.lost;
    lookedAt = other.lookedAt;
    lookAgain = other.lookAgain;
  }

  private static <K, V> void replace(Map<K, V> entries, Map<K, V> others) {
    entries.clear();
    entries.putAll(others);
  }

  /** Opens a mark, to which {@link #rollBack} returns. */
  public void mark() {
    images.mark();
  }

  /** Ends the innermost mark; the changes since stay. */
  public void commit() {
    images.commit();
  }

  /** Returns to the innermost mark and ends it; O(nodes + runs) if anything has changed since. */
  public void rollBack() {
    @Nullable DataBooks then = images.rollBack();
    if (then != null) {
      become(then);
    }
  }

  private void change() {
    images.save(this::copy);
  }

  /** Returns true if the copy is complete. */
  public boolean isThere(CopyKey copy) {
    return copies(copy.node()).containsKey(copy.dataset());
  }

  /** Returns true if the copy is complete, under way, or being read by a launching job. */
  public boolean isThereSoon(CopyKey copy) {
    return isThere(copy) || underWay.containsKey(copy) || isAwaited(copy);
  }

  /** Returns the copies of a node by name, least recently used first. */
  public Map<String, Dataset> copies(NodeId node) {
    return copies.getOrDefault(node, Collections.emptyMap());
  }

  /** Returns the transfers under way, in order of their start. */
  public Map<CopyKey, PrefetchedCopy> underWay() {
    return Collections.unmodifiableMap(underWay);
  }

  /** Returns the run of a job, if it is known. */
  public Optional<Run> run(JobId job) {
    return Optional.ofNullable(runs.get(job));
  }

  /** Returns the number of copies that running jobs read from storage themselves. */
  public int reading() {
    int reading = readers.size();
    for (CopyKey copy : underWay.keySet()) {
      reading -= isAwaited(copy) ? 1 : 0;
    }
    return reading;
  }

  /** Returns true if a running job waits for the copy. */
  public boolean isAwaited(CopyKey copy) {
    return readers.containsKey(copy);
  }

  /** Returns the free disk of a node in bytes, its copies and transfers under way deducted. */
  public long freeDisk(Node node) {
    long free = node.disk().bytes();
    for (Dataset dataset : copies(node.id()).values()) {
      free -= dataset.size().bytes();
    }
    for (Map.Entry<CopyKey, PrefetchedCopy> transfer : underWay.entrySet()) {
      if (transfer.getKey().node().equals(node.id())) {
        free -= transfer.getValue().dataset().size().bytes();
      }
    }
    return free;
  }

  /** Returns the ratios of actual to expected run times. */
  public RunTimeRatios ratios() {
    return ratios;
  }

  /** Returns the time of the next look-ahead; empty if the next event triggers it. */
  public Optional<Instant> lookAgain() {
    return Optional.ofNullable(lookAgain);
  }

  /** Returns the time of the last look-ahead. */
  public Instant lookedAt() {
    return lookedAt;
  }

  /** Records a look-ahead now and the time of the next one. */
  public void look(Instant now, Optional<Instant> again) {
    change();
    lookedAt = now;
    lookAgain = again.orElse(null);
  }

  /** Postpones the look-ahead. */
  public void putOff(Instant until) {
    change();
    lookAgain = until;
  }

  /** Adds a node with its initial copies. */
  public void add(Node node) {
    change();
    put(node);
  }

  private void put(Node node) {
    Map<String, Dataset> own = new LinkedHashMap<>();
    node.datasets().forEach(dataset -> own.put(dataset.name(), dataset));
    copies.put(node.id(), own);
  }

  /** Removes a node that was retired. */
  public void retire(NodeId node) {
    change();
    for (String name : copies(node).keySet()) {
      lose(new CopyKey(node, name));
    }
    copies.remove(node);
    underWay.keySet().stream()
        .filter(copy -> copy.node().equals(node))
        .toList()
        .forEach(copy -> stop(copy, 1));
    predictions.forget(node);
  }

  /** Records that a copy is complete. */
  public void arrived(CopyKey copy, Dataset dataset, Instant now) {
    change();
    @Nullable PrefetchedCopy bringing = underWay.remove(copy);
    if (bringing != null && isAwaited(copy)) {
      read += bytes(bringing);
    } else if (bringing != null) {
      unread.put(copy, bringing);
    }
    use(copy, dataset);
    if (isAwaited(copy)) {
      runs.replaceAll((job, run) -> run.without(copy, now));
      readers.remove(copy);
    }
  }

  private void enter(JobId job, @Nullable Run run) {
    @Nullable Run old = run == null ? runs.remove(job) : runs.put(job, run);
    if (old != null) {
      old.missing()
          .forEach(copy -> readers.computeIfPresent(copy, (each, n) -> n > 1 ? n - 1 : null));
    }
    if (run != null) {
      run.missing().forEach(copy -> readers.merge(copy, 1, Integer::sum));
    }
  }

  private void use(CopyKey copy, Dataset dataset) {
    Map<String, Dataset> there = new LinkedHashMap<>(copies(copy.node()));
    there.remove(copy.dataset());
    there.put(copy.dataset(), dataset);
    copies.put(copy.node(), there);
  }

  /** Records the failure of a transfer, if it was under way. */
  public void failed(CopyKey copy) {
    if (underWay.containsKey(copy)) {
      cancel(copy, 1);
    }
  }

  private void stop(CopyKey copy, double moved) {
    @Nullable PrefetchedCopy bringing = underWay.remove(copy);
    if (bringing != null) {
      lost += moved * bytes(bringing);
      sent -= (1 - moved) * bytes(bringing);
    }
  }

  /** Records that a copy was evicted, if it was there. */
  public void evicted(CopyKey copy) {
    if (!isThere(copy)) {
      return;
    }
    change();
    Map<String, Dataset> left = new LinkedHashMap<>(copies(copy.node()));
    left.remove(copy.dataset());
    copies.put(copy.node(), left);
    lose(copy);
  }

  private void lose(CopyKey copy) {
    @Nullable PrefetchedCopy bringing = unread.remove(copy);
    if (bringing != null) {
      lost += bytes(bringing);
      predictions.lost(bringing);
    }
  }

  /** Records the start of a transfer. */
  public void bring(CopyKey copy, PrefetchedCopy bringing) {
    change();
    underWay.put(copy, bringing);
    sent += bytes(bringing);
  }

  /** Records the cancellation of a transfer of which a fraction is expected to have been moved. */
  public void cancel(CopyKey copy, double moved) {
    change();
    stop(copy, moved);
  }

  /** Records a start: the expected run and the copies that the job reads. */
  public void started(JobId job, Run run, Collection<CopyKey> copies, Instant now) {
    change();
    enter(job, run);
    for (CopyKey copy : copies) {
      @Nullable Dataset there = copies(copy.node()).get(copy.dataset());
      if (there != null) {
        use(copy, there);
      }
      @Nullable PrefetchedCopy bringing = unread.remove(copy);
      if (bringing != null) {
        read += bytes(bringing);
        predictions.read(bringing, now);
      }
      predictions.judge(copy, now);
    }
  }

  /** Records a job's report of its remaining seconds of training. */
  public void reported(JobId job, double left, Instant now) {
    @Nullable Run run = runs.get(job);
    if (run != null) {
      change();
      enter(job, run.reported(now, left));
    }
  }

  /** Records that a job no longer runs, and whether it finished its work. */
  public void ended(JobId job, boolean finished, Instant now) {
    @Nullable Run run = runs.get(job);
    if (run == null) {
      return;
    }
    change();
    enter(job, null);
    if (finished && run.isWhole() && run.seconds().isPresent() && run.missing().isEmpty()) {
      ratios.observe(seconds(run.trainsFrom(), now) / run.seconds().getAsDouble());
    }
  }

  /** Records a prediction about a copy, unless one is pending. */
  public void predict(CopyKey copy, double probability, Instant until) {
    change();
    predictions.add(copy, probability, until);
  }

  /** Counts the pending predictions that have failed by now. */
  public void judge(Instant now) {
    change();
    predictions.judge(now);
  }

  /** Returns the predictions about copies; read only. */
  public Predictions predictions() {
    return predictions;
  }

  /** Returns the copies that are present but unread. */
  public Collection<PrefetchedCopy> unread() {
    return Collections.unmodifiableCollection(unread.values());
  }

  private static double bytes(PrefetchedCopy bringing) {
    return (double) bringing.dataset().size().bytes();
  }

  private static double seconds(Instant from, Instant to) {
    return GpuTime.exactSeconds(Duration.between(from, to));
  }

  /** Saves the books. */
  public void save(SnapshotSection.Builder section, ClusterTopology topology) {
    new SavedBooks(copies, underWay, unread, runs, predictions.pending()).save(section, topology);
    section.put("sent", sent).put("read", read).put("lost", lost);
    section.put("lookedAt", lookedAt.toString()).text("lookAgain", lookAgain());
    ratios.save(section);
    predictions.save(section);
  }

  /** Restores saved books. */
  public void load(SnapshotSection.Reader in) {
    new SavedBooks(copies, underWay, unread, runs, predictions.pending()).load(in);
    runs.values()
        .forEach(run -> run.missing().forEach(copy -> readers.merge(copy, 1, Integer::sum)));
    sent = amount(in, "sent");
    read = amount(in, "read");
    lost = amount(in, "lost");
    lookedAt = in.text("lookedAt", Instant::parse);
    lookAgain = in.optionalText("lookAgain", Instant::parse).orElse(null);
    ratios.load(in);
    predictions.load(in);
  }

  private static double amount(SnapshotSection.Reader in, String name) {
    double amount = in.value(name, Double.class);
    if (!(amount >= 0)) {
      throw new IllegalArgumentException(
          "'%s' must not be negative, but was %s".formatted(name, amount));
    }
    return amount;
  }
}
