package io.github.liquidscheduler.scheduler.quota;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.DecayedUsage;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.rollback.BeforeImages;
import io.github.liquidscheduler.scheduler.rollback.Stamps;
import io.github.liquidscheduler.scheduler.share.Claim;
import io.github.liquidscheduler.scheduler.share.FairDivision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: usage is booked along the path to the root at once; shares are divided lazily, before
 * somebody reads them, and only below queues whose claims or share have changed.
 * Invariants: an account's usage is the sum of its leaves' charges; after divide shares are those
 * of a division from scratch; versions change whenever an answer may. QueueLaws keeps a ledger
 * beside it.
 * Cost: a charge O(depth x resources); divide for each resource a division among the children of
 * each changed queue, nothing if none has changed; measure O(nodes x resources). QueueBench.
 * Source: KAI-Scheduler's division of over-quota shares, for COMPUTED_SHARES.
 */
/**
 * The accounts of all queues of a tree: usage, requests, and the shares of the last division of the
 * cluster's capacity. Mutable.
 */
public final class QueueBooks {

  private final QueueTree tree;
  private final CountedResources resources;
  private final List<QueueAccount> accounts = new ArrayList<>();
  private final List<QueueAccount> roots;
  private final List<QueueAccount> leaves;
  // Never iterated.
  private final Map<QueueName, QueueAccount> byName = new HashMap<>();
  private final Map<QueueName, Charge> reserved = new LinkedHashMap<>();
  private final long[] total;
  private final long[] claimed;
  private final boolean guaranteesUnlendableQuota;
  private final Stamps stamps;
  private final BeforeImages<Image> images = new BeforeImages<>();
  private long holdingsVersion;
  private boolean isDivided;
  private boolean isInOrder;
  private RecentUse use;

  /** The numbers of the state at a mark: of all usage, and of each queue that has changed since. */
  private record Image(long holdings, Map<QueueAccount, QueueAccount.Image> accounts) {}

  /** Makes the books of idle queues without decayed usage. */
  public QueueBooks(QueueTree tree, Instant now) {
    this(tree, now, new Stamps());
  }

  /** Makes the books of idle queues without decayed usage, with numbers that others use too. */
  public QueueBooks(QueueTree tree, Instant now, Stamps stamps) {
    this.tree = tree;
    this.stamps = stamps;
    holdingsVersion = stamps.next();
    resources = new CountedResources(tree.resources());
    total = new long[tree.resources().size()];
    claimed = new long[total.length];
    tree.roots().forEach(root -> open(root, null));
    roots = accounts.stream().filter(account -> account.parent() == null).toList();
    leaves = accounts.stream().filter(account -> account.children().isEmpty()).toList();
    if (tree.reclaiming().lends()) {
      accounts.reversed().forEach(LentGuarantees::lend);
    }
    accounts.reversed().forEach(queue -> queue.lending().reserveUnlendable());
    guaranteesUnlendableQuota =
        accounts.stream().anyMatch(queue -> queue.lending().hasUnlendable());
    accounts.forEach(queue -> queue.lending().measureLendable());
    use = nothingUsed(now);
  }

  private RecentUse nothingUsed(Instant now) {
    List<Double> nothing = Collections.nCopies(total.length, 0.0);
    return new RecentUse(
        now,
        tree.resources(),
        accounts.stream().map(queue -> new RecentUse.OfQueue(queue.name(), nothing)).toList(),
        nothing);
  }

  /** Returns the indices of resources that count as one pool where shares are compared. */
  int[][] pools() {
    return resources.pools();
  }

  /** Adds to the amounts counted for all queues together. */
  void claim(long[] more) {
    for (int resource = 0; resource < more.length; resource++) {
      claim(resource, more[resource]);
    }
  }

  void claim(int resource, long more) {
    claimed[resource] += more;
  }

  /** Returns true if some queue has a guarantee that it does not lend. */
  public boolean guaranteesUnlendableQuota() {
    return guaranteesUnlendableQuota;
  }

  /**
   * Returns true if the charge may depend on the placement: GPUs are counted by model, and the job
   * may run on several models.
   */
  public boolean dependsOnPlacement(JobSpec job) {
    return resources.dependOnPlacement(job);
  }

  /** Returns the amount of a resource that is neither used nor reserved. */
  long left(int resource) {
    return total[resource] - claimed[resource];
  }

  /** Reserves a leaf's guarantee up to these amounts; does nothing if there are none. */
  public void reserve(QueueName queue, Charge most) {
    if (most.isSome()) {
      account(queue).lending().reserve(most);
      reserved.put(queue, most);
    }
  }

  /** Returns the amounts up to which guarantees of leaves are reserved, as a copy. */
  public Map<QueueName, Charge> reserved() {
    return new LinkedHashMap<>(reserved);
  }

  /** Ends all reservations. */
  public void releaseReservations() {
    reserved.keySet().forEach(queue -> account(queue).lending().reserve(nothing()));
    reserved.clear();
  }

  private void open(QueueSpec queue, @Nullable QueueAccount parent) {
    QueueAccount account = new QueueAccount(this, queue, accounts.size(), parent);
    accounts.add(account);
    byName.put(queue.name(), account);
    tree.children(queue.name()).forEach(child -> open(child, account));
  }

  /** Returns the decayed usage; empty if the tree does not count it. */
  public Optional<RecentUse> use() {
    return tree.decayedUsage().map(any -> use);
  }

  /** Sets the decayed usage of queues by name; resources that are not counted are dropped. */
  public void restoreUse(RecentUse known) {
    Map<QueueName, List<Double>> byQueue = new HashMap<>();
    known.queues().forEach(queue -> byQueue.put(queue.queue(), queue.amounts()));
    List<Double> nothing = Collections.nCopies(known.resources().size(), 0.0);
    use =
        new RecentUse(
            known.asOf(),
            tree.resources(),
            accounts.stream()
                .map(QueueAccount::name)
                .map(
                    name ->
                        new RecentUse.OfQueue(
                            name, counted(known, byQueue.getOrDefault(name, nothing))))
                .toList(),
            counted(known, known.total()));
    forgetShares();
  }

  private List<Double> counted(RecentUse known, List<Double> amounts) {
    return tree.resources().stream()
        .map(known.resources()::indexOf)
        .map(resource -> resource < 0 ? Double.valueOf(0) : amounts.get(resource))
        .toList();
  }

  /** Advances the decayed usage to {@code now}; returns true if shares may have changed. */
  public boolean advance(Instant now) {
    Optional<DecayedUsage> history = tree.decayedUsage();
    boolean matters = history.isPresent() && now.isAfter(use.asOf());
    if (matters) {
      use = use.until(now, history.get(), accounts, total);
      forgetShares();
    }
    return matters;
  }

  private void forgetShares() {
    isDivided = false;
    accounts.forEach(QueueAccount::markUndivided);
  }

  /** Returns the decayed usage of a queue as a fraction of capacity; 0 without decayed usage. */
  double recentPart(int queue, int resource) {
    return tree.decayedUsage().isEmpty() ? 0 : use.part(queue, resource);
  }

  /** Returns the tree. */
  public QueueTree tree() {
    return tree;
  }

  /** Returns the account of a queue of the tree. */
  public QueueAccount account(QueueName queue) {
    return requireNonNull(byName.get(queue));
  }

  /** Returns the account of a queue; null if the tree has none of that name. */
  public @Nullable QueueAccount find(QueueName queue) {
    return byName.get(queue);
  }

  /** Returns the charge of a job without tasks. */
  public Charge nothing() {
    return new Charge(new long[total.length]);
  }

  /** Returns all accounts, each before those of its children. */
  List<QueueAccount> accounts() {
    return accounts;
  }

  /** Returns the accounts without children, in the order of definition. */
  List<QueueAccount> leaves() {
    return leaves;
  }

  /** Returns the roots. */
  List<QueueAccount> roots() {
    return roots;
  }

  /** Marks a queue and its ancestors for the next division. */
  void change(QueueAccount changed) {
    isDivided = false;
    for (@Nullable QueueAccount at = changed; at != null; at = at.parent()) {
      at.markUndivided();
    }
    reorder(changed);
  }

  /** Returns the numbers of states. */
  Stamps stamps() {
    return stamps;
  }

  /** Returns a new number for a queue that changes. */
  long nextStamp(QueueAccount changing) {
    saveBefore();
    if (images.isMarked()) {
      images.innermost().accounts().computeIfAbsent(changing, QueueAccount::image);
    }
    return stamps.next();
  }

  private void saveBefore() {
    images.save(() -> new Image(holdingsVersion, new HashMap<>()));
  }

  /** Opens a mark. Shares are divided then. */
  public void mark() {
    divide();
    images.mark();
  }

  /** Ends the innermost mark; the changes since stay. */
  public void commit() {
    @Nullable Image later = images.peek();
    images.commit();
    if (later != null && images.isMarked()) {
      later.accounts().forEach(images.innermost().accounts()::putIfAbsent);
    }
  }

  /** Ends the innermost mark and numbers the state as then. Usage and shares are those of then. */
  public void rollBack() {
    @Nullable Image then = images.rollBack();
    if (then != null) {
      holdingsVersion = then.holdings();
      then.accounts().forEach(QueueAccount::rollBackTo);
    }
  }

  /** Numbers the state as that of other books of the same tree, usage and shares. */
  public void numberAs(QueueBooks other) {
    if (!other.equals(this)) {
      holdingsVersion = other.holdingsVersion;
      for (QueueAccount account : accounts) {
        account.rollBackTo(other.accounts.get(account.index()).image());
      }
    }
  }

  /** Increases the version of usage and shares. */
  void changeHoldings() {
    saveBefore();
    holdingsVersion = stamps.next();
  }

  /**
   * Returns a number that changes with the usage or the share of any queue; not with requests that
   * leave all shares equal.
   */
  public long holdingsVersion() {
    divide();
    return holdingsVersion;
  }

  /** Drops the cached serving order of a queue and its ancestors. */
  void reorder(QueueAccount changed) {
    isInOrder = false;
    for (@Nullable QueueAccount at = changed; at != null; at = at.parent()) {
      at.forgetPartOrder();
    }
  }

  /** Drops the cached serving order of all queues, whose next jobs may be others. */
  public void forgetOrder() {
    isInOrder = false;
    accounts.forEach(QueueAccount::forgetPartOrder);
  }

  /** Returns true if the serving order is up to date, and marks it so. */
  boolean takeIsInOrder() {
    boolean was = isInOrder;
    isInOrder = true;
    return was;
  }

  /** Returns the turns of all queues, by index. */
  public List<Integer> positions() {
    return accounts.stream().map(QueueAccount::position).toList();
  }

  /** Restores the turns of all queues, by index; they are arranged again when next asked for. */
  public void restorePositions(List<Integer> positions) {
    accounts.forEach(account -> account.setPosition(positions.get(account.index())));
    isInOrder = false;
  }

  /** Returns the cluster's capacity of a resource. */
  long total(int resource) {
    return total[resource];
  }

  /** Returns the amounts that a job requests at its smallest size. */
  public Charge least(JobSpec job) {
    return requested(job.atLeastSize());
  }

  /** Returns the amounts that a job requests. */
  public Charge requested(JobSpec job) {
    return resources.requested(job);
  }

  /** Returns the amounts that a running job holds. */
  public Charge held(Placement placement, ClusterTopology topology) {
    return resources.held(placement, topology);
  }

  /** Reads the cluster's capacity: all nodes that are not lost. */
  public void measure(ClusterView cluster) {
    long[] sum = resources.capacity(cluster);
    if (!Arrays.equals(sum, total)) {
      System.arraycopy(sum, 0, total, 0, sum.length);
      isDivided = false;
      // Claims of children do not change, nor does their order, unless a share does.
      accounts.stream().filter(QueueAccount::isOrderedByTotals).forEach(this::reorder);
      changeHoldings();
    }
  }

  /**
   * Divides the cluster's capacity among the queues. Only children of queues whose claims or share
   * have changed are divided again.
   */
  public void divide() {
    if (!isDivided) {
      isDivided = true;
      divide(roots, total);
    }
  }

  private void divide(List<QueueAccount> siblings, long[] amounts) {
    for (int resource = 0; resource < amounts.length; resource++) {
      divide(siblings, resource, amounts[resource]);
    }
    for (QueueAccount queue : siblings) {
      if (queue.takeIsToBeDivided() && !queue.children().isEmpty()) {
        divide(queue.children(), queue.amounts().shares());
      }
    }
  }

  private void divide(List<QueueAccount> siblings, int resource, long amount) {
    QuotaResource.Kind kind = tree.resources().get(resource).kind();
    double grain = kind == QuotaResource.Kind.GPU ? QuotaResource.GPUS.perUnit() : 1;
    List<Claim> claims = siblings.stream().map(queue -> queue.claim(resource, grain)).toList();
    double sensitivity = tree.decayedUsage().map(DecayedUsage::sensitivity).orElse(0.0);
    double[] shares = FairDivision.divide(amount / grain, claims, sensitivity);
    for (int i = 0; i < shares.length; i++) {
      siblings.get(i).setShare(resource, Math.round(shares[i] * grain));
    }
  }
}
