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
import io.github.liquidscheduler.scheduler.share.Claim;
import io.github.liquidscheduler.scheduler.share.FairDivision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of all queues of a tree: what their jobs hold and ask for, and what is due to each
 * when all that there is is divided. Mutable.
 */
public final class QueueBooks {

  private final QueueTree tree;
  private final CountedResources resources;
  private final List<QueueAccount> accounts = new ArrayList<>();
  private final List<QueueAccount> roots;
  // Never iterated.
  private final Map<QueueName, QueueAccount> byName = new HashMap<>();
  private final long[] total;
  private final long[] claimed;
  private final boolean guaranteesUnlendableQuota;
  private long holdingsVersion;
  private boolean isDivided;
  private boolean isInOrder;
  private RecentUse use;

  /** Makes the books of queues whose jobs hold nothing, and have used nothing before this time. */
  public QueueBooks(QueueTree tree, Instant now) {
    this.tree = tree;
    resources = new CountedResources(tree.resources());
    total = new long[tree.resources().size()];
    claimed = new long[total.length];
    tree.roots().forEach(root -> open(root, null));
    roots = accounts.stream().filter(account -> account.parent() == null).toList();
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

  /** Returns the resources, those together that count as one where shares are compared. */
  int[][] pools() {
    return resources.pools();
  }

  /** Notes that so much more counts of all queues together. */
  void claim(long[] more) {
    for (int resource = 0; resource < more.length; resource++) {
      claim(resource, more[resource]);
    }
  }

  void claim(int resource, long more) {
    claimed[resource] += more;
  }

  /** Returns true if some queue does not lend all that is guaranteed to it. */
  public boolean guaranteesUnlendableQuota() {
    return guaranteesUnlendableQuota;
  }

  /**
   * Returns true if what a job holds may depend on where it runs: GPUs of some model are counted
   * apart, and it may run on others as well.
   */
  public boolean dependsOnPlacement(JobSpec job) {
    return resources.dependOnPlacement(job);
  }

  /** Returns how much of a resource is neither used nor kept for anybody. */
  long left(int resource) {
    return total[resource] - claimed[resource];
  }

  private void open(QueueSpec queue, @Nullable QueueAccount parent) {
    QueueAccount account = new QueueAccount(this, queue, accounts.size(), parent);
    accounts.add(account);
    byName.put(queue.name(), account);
    tree.children(queue.name()).forEach(child -> open(child, account));
  }

  /** Returns what queues have used of late; empty if that does not count. */
  public Optional<RecentUse> use() {
    return tree.decayedUsage().map(any -> use);
  }

  /** Has queues of the same names have used what is said, as far as it is counted here. */
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

  /** Has time pass, in which jobs held what they do now; returns whether shares may be others. */
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

  /** Returns which part of all there was the queue of this number has used of late, if any. */
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

  /** Returns the account of the same queue as one of equal books. */
  public QueueAccount same(QueueAccount other) {
    return accounts.get(other.index());
  }

  /** Returns all accounts, each before those of its children. */
  List<QueueAccount> accounts() {
    return accounts;
  }

  /** Returns the accounts of the queues that are no part of another. */
  List<QueueAccount> roots() {
    return roots;
  }

  /** Notes that what a queue holds or asks for has changed, and what those do that it is in. */
  void change(QueueAccount changed) {
    isDivided = false;
    for (@Nullable QueueAccount at = changed; at != null; at = at.parent()) {
      at.markUndivided();
    }
    reorder(changed);
  }

  /** Notes that some queue holds something else, or that something else is due to it. */
  void changeHoldings() {
    holdingsVersion++;
  }

  /**
   * Returns a number that is another whenever some queue holds something else, or something else is
   * due to it; not when queues only ask for more or less and that makes no difference.
   */
  public long holdingsVersion() {
    divide();
    return holdingsVersion;
  }

  /**
   * Has the queues of an equal tree hold, ask for and be due the same as those of other books.
   * These have used the same of late.
   */
  public void copyFrom(QueueBooks other) {
    other.divide();
    System.arraycopy(other.total, 0, total, 0, total.length);
    System.arraycopy(other.claimed, 0, claimed, 0, claimed.length);
    for (QueueAccount account : accounts) {
      account.copyFrom(other.accounts.get(account.index()));
    }
    holdingsVersion = other.holdingsVersion;
    isDivided = true;
    isInOrder = false;
  }

  /** Notes that a queue stands elsewhere among its siblings, or those that it is in do. */
  void reorder(QueueAccount changed) {
    isInOrder = false;
    for (@Nullable QueueAccount at = changed; at != null; at = at.parent()) {
      at.forgetPartOrder();
    }
  }

  /** Returns true if anything has changed by which queues are put in order, and forgets it. */
  boolean takeIsInOrder() {
    boolean was = isInOrder;
    isInOrder = true;
    return was;
  }

  /** Returns how much of a resource there is. */
  long total(int resource) {
    return total[resource];
  }

  /** Returns what a job asks for at least: at the smallest of its sizes. */
  public Charge least(JobSpec job) {
    return requested(job.atLeastSize());
  }

  /** Returns what a job asks for. */
  public Charge requested(JobSpec job) {
    return resources.requested(job);
  }

  /** Returns what a job holds that runs. */
  public Charge held(Placement placement, ClusterTopology topology) {
    return resources.held(placement, topology);
  }

  /** Takes in what there is in the cluster: all that is not lost. */
  public void measure(ClusterView cluster) {
    long[] sum = resources.capacity(cluster);
    if (!Arrays.equals(sum, total)) {
      System.arraycopy(sum, 0, total, 0, sum.length);
      isDivided = false;
      // What a queue claims of a part is the same; so are the parts, but where shares change.
      accounts.stream().filter(QueueAccount::isOrderedByTotals).forEach(this::reorder);
      changeHoldings();
    }
  }

  /**
   * Divides all that there is among the queues anew, where anything has changed since: among the
   * siblings of a queue that holds or asks for something else, and the parts of one whose share is
   * another.
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
