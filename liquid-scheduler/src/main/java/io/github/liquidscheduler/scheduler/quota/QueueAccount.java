package io.github.liquidscheduler.scheduler.quota;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueuePreemption;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Victims;
import io.github.liquidscheduler.scheduler.share.Claim;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the jobs of one queue, and of the queues that are a part of it, hold and ask for, beside
 * what it may hold. Mutable.
 */
public final class QueueAccount {

  private final QueueBooks books;
  private final QueueSpec spec;
  private final int index;
  private final @Nullable QueueAccount parent;
  private final int depth;
  private final List<QueueAccount> children = new ArrayList<>();
  private final List<QueueQuota> quotas;
  private final long[] guaranteed;
  private final long[] limit;
  private final long[] held;
  private final long[] fixed;
  private final long[] requested;
  private final long[] share;
  private final long[] lendable;
  private final Kept lent;
  private final Kept claimed;
  private int height;
  private int position;
  private boolean isToBeDivided = true;
  private long changes;
  private @Nullable OrderedParts inOrder;

  /**
   * The parts of a queue in the order in which they are served.
   *
   * @param leaves those in which jobs may stand
   * @param next what the next job asks for; null if none waits
   */
  record OrderedParts(List<QueueAccount> leaves, @Nullable NextJob next) {}

  QueueAccount(QueueBooks books, QueueSpec spec, int index, @Nullable QueueAccount parent) {
    this.books = books;
    this.spec = spec;
    this.index = index;
    this.parent = parent;
    depth = parent == null ? 0 : parent.depth + 1;
    List<QuotaResource> resources = books.tree().resources();
    quotas = resources.stream().map(resource -> books.tree().quota(spec, resource)).toList();
    int size = resources.size();
    guaranteed = new long[size];
    limit = new long[size];
    held = new long[size];
    fixed = new long[size];
    requested = new long[size];
    share = new long[size];
    lendable = new long[size];
    lent = new Kept(size);
    claimed = new Kept(size);
    for (int resource = 0; resource < size; resource++) {
      guaranteed[resource] = resources.get(resource).smallest(quotas.get(resource).guaranteed());
      limit[resource] = resources.get(resource).smallest(quotas.get(resource).limit());
    }
    if (parent != null) {
      parent.children.add(this);
      parent.grow(1);
    }
  }

  private void grow(int least) {
    height = Math.max(height, least);
    if (parent != null) {
      parent.grow(height + 1);
    }
  }

  /** Returns how far the deepest of its parts is below it; 0 if it has none. */
  int height() {
    return height;
  }

  long limit(int resource) {
    return limit[resource];
  }

  /** Returns the name of the queue. */
  public QueueName name() {
    return spec.name();
  }

  /** Returns its number in the tree, by the order in which queues were named. */
  public int index() {
    return index;
  }

  /** Returns the queue that it is a part of; null at the top. */
  public @Nullable QueueAccount parent() {
    return parent;
  }

  /** Returns the queue at the top that it is, or is a part of. */
  public QueueAccount root() {
    QueueAccount at = this;
    while (at.parent != null) {
      at = at.parent;
    }
    return at;
  }

  /** Returns whether it is a queue, or a part of it or of its parts. */
  public boolean isIn(QueueAccount queue) {
    @Nullable QueueAccount at = this;
    while (at != null && at.depth > queue.depth) {
      at = at.parent;
    }
    return queue.equals(at);
  }

  /** Returns whether it is a part of another queue. */
  public boolean isPart() {
    return parent != null;
  }

  int depth() {
    return depth;
  }

  int priority() {
    return spec.priority();
  }

  /** Returns its parts. */
  public List<QueueAccount> children() {
    return Collections.unmodifiableList(children);
  }

  /**
   * Returns all parts of the queue that it is a part of, itself among them; else all at the top.
   */
  public List<QueueAccount> siblings() {
    return parent == null ? books.roots() : parent.children();
  }

  /** Returns where the queue stands among all in which jobs may stand; 0 for the first. */
  public int position() {
    return position;
  }

  void setPosition(int position) {
    this.position = position;
  }

  /** Returns whom its jobs may have stopped, where queues lend each other quota. */
  public QueuePreemption preemption() {
    return spec.preemption();
  }

  /** Returns whether its jobs may start before others that come before them and do not fit. */
  public boolean allowsBypass() {
    return spec.bypass();
  }

  /** Returns what it uses, or may not be lent, whichever is more. */
  Kept lent() {
    return lent;
  }

  /** Returns the same, but that what the next job of a queue waits for may not be lent either. */
  Kept claimed() {
    return claimed;
  }

  /** Notes that a job of this queue, a leaf, starts to hold something, or with -1 that it ends. */
  public void hold(Charge charge, boolean preemptible, int times) {
    books.change(this);
    books.changeHoldings();
    noteChange();
    long[] lends = new long[held.length];
    charge.addTo(lends, times);
    long[] claims = lends.clone();
    for (QueueAccount queue = this; queue != null; queue = queue.parent) {
      charge.addTo(queue.held, times);
      if (!preemptible) {
        charge.addTo(queue.fixed, times);
      }
      for (int resource = 0; resource < held.length; resource++) {
        lends[resource] = queue.lent.use(resource, lends[resource]);
        claims[resource] = queue.claimed.use(resource, claims[resource]);
      }
    }
    books.claim(claims);
  }

  /**
   * Keeps for the next job of this queue, a leaf, what is guaranteed to the queue, if it may not
   * take that back from everybody: what others borrow meanwhile would be gone until they end. A job
   * that asks for more than the limit is not waited for.
   */
  public void keepFor(Charge asked) {
    boolean mayEverStart = true;
    for (int resource = 0; resource < held.length; resource++) {
      mayEverStart &= asked.of(resource) <= limit[resource];
    }
    if (mayEverStart && preemption().others() != Victims.ANY) {
      for (int resource = 0; resource < held.length; resource++) {
        claim(resource, Charge.sum(held[resource], asked.of(resource)));
      }
    }
  }

  /** Keeps no more than what may not be lent. */
  public void keepForNobody() {
    for (int resource = 0; resource < held.length; resource++) {
      claim(resource, 0);
    }
  }

  private void claim(int resource, long most) {
    long amount = Math.max(lent.floor(resource), Math.min(most, guaranteed[resource]));
    if (amount == claimed.floor(resource)) {
      return;
    }
    long rise = claimed.keep(resource, amount);
    for (@Nullable QueueAccount queue = parent; queue != null; queue = queue.parent) {
      rise = queue.claimed.use(resource, rise);
    }
    books.claim(resource, rise);
  }

  /** Returns whether it does not lend all that is guaranteed to it. */
  boolean keepsSome() {
    for (int resource = 0; resource < held.length; resource++) {
      if (lent.floor(resource) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Keeps what may not be lent; the children come first. */
  void keepWhatIsNotLent() {
    for (int resource = 0; resource < held.length; resource++) {
      QuotaResource counted = books.tree().resources().get(resource);
      long lending = counted.smallest(quotas.get(resource).lendingLimit());
      long own = guaranteed[resource] == Long.MAX_VALUE ? 0 : guaranteed[resource];
      long amount = Math.max(0, own - lending);
      long lends = lent.keep(resource, amount);
      long claims = claimed.keep(resource, amount);
      for (@Nullable QueueAccount queue = parent; queue != null; queue = queue.parent) {
        lends = queue.lent.use(resource, lends);
        claims = queue.claimed.use(resource, claims);
      }
      books.claim(resource, claims);
    }
  }

  /**
   * Has quotas be as they are where queues lend each other what is guaranteed to them: a queue is
   * guaranteed what its parts are, at least, and at the top it holds no more; what no queue of its
   * tree counts is not limited. The children come first.
   */
  void lendGuarantees() {
    for (int resource = 0; resource < held.length; resource++) {
      long ofParts = 0;
      for (QueueAccount child : children) {
        ofParts = Charge.sum(ofParts, child.guaranteed[resource]);
      }
      guaranteed[resource] = Math.max(guaranteed[resource], ofParts);
      if (parent == null && !counts(books.tree().resources().get(resource))) {
        leaveUncounted(resource);
      } else if (parent == null) {
        limit[resource] = Math.min(limit[resource], guaranteed[resource]);
      }
    }
  }

  private boolean counts(QuotaResource resource) {
    return spec.quotas().containsKey(resource)
        || children.stream().anyMatch(child -> child.counts(resource));
  }

  private void leaveUncounted(int resource) {
    guaranteed[resource] = Long.MAX_VALUE;
    limit[resource] = Long.MAX_VALUE;
    children.forEach(child -> child.leaveUncounted(resource));
  }

  /**
   * Computes what there is for the queue and its parts to borrow if nobody holds anything; the
   * parent comes first.
   */
  void measureLendable() {
    for (int resource = 0; resource < held.length; resource++) {
      long ofParts = lent.used(resource);
      boolean hasEnd = guaranteed[resource] < Long.MAX_VALUE;
      long own = hasEnd ? guaranteed[resource] - ofParts : Long.MAX_VALUE;
      long local = Math.max(0, lent.floor(resource) - ofParts);
      lendable[resource] = parent == null ? own : withLoans(resource, own, local);
    }
  }

  private long withLoans(int resource, long own, long local) {
    long most = Charge.sum(own - local, Math.max(0, limit[resource] - guaranteed[resource]));
    return Charge.sum(local, Math.min(requireNonNull(parent).lendable[resource], most));
  }

  /** Notes that a job of this queue, a leaf, wants so much, or with -1 that it no longer does. */
  public void request(Charge charge, int times) {
    books.change(this);
    for (QueueAccount queue = this; queue != null; queue = queue.parent) {
      charge.addTo(queue.requested, times);
    }
  }

  /** Returns why this queue, or one that it is a part of, may not hold a job as well, if so. */
  public Optional<QuotaExcess> excess(Charge asked, boolean preemptible) {
    for (int resource = 0; resource < held.length; resource++) {
      Optional<QuotaExcess> excess = excess(resource, asked.of(resource), Imagined.NOTHING);
      if (excess.isPresent()) {
        return excess;
      }
    }
    return preemptible ? Optional.empty() : excessOfGuarantee(asked);
  }

  /** Returns whether the queue may hold a job as well if queues used so much. */
  public boolean admits(Charge asked, boolean preemptible, Imagined use) {
    for (int resource = 0; resource < held.length; resource++) {
      if (excess(resource, asked.of(resource), use).isPresent()) {
        return false;
      }
    }
    return preemptible || excessOfGuarantee(asked).isEmpty();
  }

  /**
   * Returns whether a job takes nothing of what other queues do not lend, if queues used so much.
   * Whatever is guaranteed to its queue is not lent to it.
   */
  public boolean leavesWhatIsNotLent(Charge asked, Imagined use) {
    for (int resource = 0; resource < held.length; resource++) {
      long more = asked.of(resource);
      boolean isOwn = more <= guaranteed[resource] - use.of(this).used(resource);
      for (@Nullable QueueAccount queue = this; queue != null && more > 0; queue = queue.parent) {
        more = use.of(queue).rise(resource, more);
      }
      if (!isOwn && more > books.left(resource) - use.more(resource)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the resources of which it may not hold so much as well; all asked for if none is. */
  public BitSet needed(Charge asked) {
    BitSet needed = new BitSet();
    BitSet all = new BitSet();
    for (int resource = 0; resource < held.length; resource++) {
      boolean exceeds = excess(resource, asked.of(resource), Imagined.NOTHING).isPresent();
      needed.set(resource, exceeds);
      all.set(resource, asked.of(resource) > 0);
    }
    return needed.isEmpty() ? all : needed;
  }

  /**
   * Returns the same for one resource; what is kept for a job of the queue itself does not count.
   */
  private Optional<QuotaExcess> excess(int resource, long asked, Imagined use) {
    long more = asked;
    long forItself = 0;
    for (@Nullable QueueAccount queue = this; queue != null && more > 0; queue = queue.parent) {
      Kept amounts = use.of(queue);
      long used = amounts.used(resource) - forItself;
      long left = queue.limit[resource] - used;
      if (more > left) {
        return Optional.of(queue.excess(resource, false, more, left));
      }
      long counted = queue.lent.counted(resource, used);
      more = queue.lent.counted(resource, used + more) - counted;
      forItself = amounts.counted(resource, amounts.used(resource)) - counted;
    }
    return Optional.empty();
  }

  private Optional<QuotaExcess> excessOfGuarantee(Charge asked) {
    for (@Nullable QueueAccount queue = this; queue != null; queue = queue.parent) {
      for (int resource = 0; resource < held.length; resource++) {
        long left = queue.guaranteed[resource] - queue.fixed[resource];
        if (asked.of(resource) > 0 && asked.of(resource) > left) {
          return Optional.of(queue.excess(resource, true, asked.of(resource), left));
        }
      }
    }
    return Optional.empty();
  }

  private QuotaExcess excess(int resource, boolean isOfGuaranteed, long asked, long left) {
    QuotaResource what = books.tree().resources().get(resource);
    return new QuotaExcess(name(), what, isOfGuaranteed, asked, Math.max(0, left));
  }

  /** Returns whether it would borrow with a job besides, of a resource that this asks for. */
  public boolean wouldBorrow(Charge asked, Imagined use) {
    for (int resource = 0; resource < held.length; resource++) {
      long more = asked.of(resource);
      if (more > 0 && more > guaranteed[resource] - use.of(this).used(resource)) {
        return true;
      }
    }
    return false;
  }

  /** Returns how much of a resource it would borrow. */
  long borrowed(int resource, Imagined use) {
    return Math.max(0, use.of(this).used(resource) - guaranteed[resource]);
  }

  /**
   * Returns how much it would borrow of what its parent can lend; nothing at the top. Of equal
   * shares that of the first resource counts.
   */
  DominantShare borrowedShare(Imagined use) {
    DominantShare largest = DominantShare.NONE;
    for (int[] pool : parent == null ? new int[0][] : books.pools()) {
      DominantShare share = borrowedShare(pool, use);
      largest = share.compareTo(largest) > 0 ? share : largest;
    }
    return largest;
  }

  private DominantShare borrowedShare(int[] pool, Imagined use) {
    double borrowed = 0;
    double all = 0;
    for (int resource : pool) {
      borrowed += borrowed(resource, use);
      all += requireNonNull(parent).lendable[resource];
    }
    if (borrowed == 0 || all == 0) {
      return DominantShare.NONE;
    }
    QuotaResource.Kind kind = books.tree().resources().get(pool[0]).kind();
    double unit = books.tree().resources().get(pool[0]).perUnit();
    return new DominantShare(
        Optional.of(kind), borrowed / unit, all / unit, quotas.get(pool[0]).weight());
  }

  /** Returns what the queue holds, and what is due to it as it was divided last. */
  public QueueStatus status() {
    Map<QuotaResource, QueueStatus.Usage> usage = new TreeMap<>();
    for (int resource = 0; resource < held.length; resource++) {
      QuotaResource counted = books.tree().resources().get(resource);
      double unit = counted.perUnit();
      usage.put(
          counted,
          new QueueStatus.Usage(
              held[resource] / unit,
              fixed[resource] / unit,
              requested[resource] / unit,
              share[resource] / unit,
              books.recentPart(this, resource)));
    }
    return new QueueStatus(name(), usage);
  }

  /** Returns how many queues there are in its tree. */
  int queues() {
    return books.accounts().size();
  }

  /** Returns how many resources are counted. */
  int resources() {
    return held.length;
  }

  QuotaResource resource(int resource) {
    return books.tree().resources().get(resource);
  }

  /** Returns how much of a resource there is in all. */
  long total(int resource) {
    return books.total(resource);
  }

  long guaranteed(int resource) {
    return guaranteed[resource];
  }

  long held(int resource) {
    return held[resource];
  }

  /** Returns what the queue should have if all that there is were divided now. */
  long share(int resource) {
    return share[resource];
  }

  /** Returns its shares of all resources; not to be changed. */
  long[] shares() {
    return share;
  }

  void setShare(int resource, long amount) {
    if (share[resource] != amount) {
      share[resource] = amount;
      noteChange();
      isToBeDivided = true;
      books.changeHoldings();
      books.reorder(this);
    }
  }

  /** Notes that something has changed by which it or its parts lose jobs. */
  public void noteChange() {
    for (@Nullable QueueAccount queue = this; queue != null; queue = queue.parent) {
      queue.changes++;
    }
  }

  /**
   * Returns a number that is another whenever this queue or one of its parts holds something else,
   * something else is due to one of them, or others of their jobs may leave, or in another order.
   */
  public long changes() {
    books.divide();
    return changes;
  }

  /** Has that number be as in equal books. */
  void changeAsIn(QueueAccount other) {
    changes = other.changes;
  }

  /** Notes that its parts claim something else of it. */
  void divideAnew() {
    isToBeDivided = true;
  }

  /** Returns whether its share, or what its parts claim, has changed, and forgets it. */
  boolean takeIsToBeDivided() {
    boolean was = isToBeDivided;
    isToBeDivided = false;
    return was;
  }

  /** Returns its parts in the order in which they were put last; null if that may be another. */
  @Nullable OrderedParts inOrder() {
    return inOrder;
  }

  void putInOrder(OrderedParts parts) {
    inOrder = parts;
  }

  /** Notes that its parts, or parts of these, may stand in another order. */
  void putPartsInOrderAnew() {
    inOrder = null;
  }

  /** Returns its share or what is guaranteed, whichever is more, but no more than its limit. */
  long due(int resource) {
    return Math.min(limit[resource], Math.max(guaranteed[resource], share[resource]));
  }

  /** Returns what the queue claims of a resource of which {@code grain} are handed out together. */
  Claim claim(int resource, double grain) {
    QueueQuota quota = quotas.get(resource);
    double end = Double.POSITIVE_INFINITY;
    return new Claim(
        quota.guaranteed() < end ? guaranteed[resource] / grain : end,
        quota.limit() < end ? limit[resource] / grain : end,
        quota.weight(),
        spec.priority(),
        Math.max(lent.floor(resource), Math.max(held[resource], requested[resource])) / grain,
        books.recentPart(this, resource));
  }

  /**
   * Returns the largest part that the queue holds of what is due to it, of any resource; infinite
   * if nothing is due and it holds something.
   *
   * @param more what it would hold besides, if anything
   */
  double dominantShare(@Nullable Charge more) {
    double largest = 0;
    for (int resource = 0; resource < held.length; resource++) {
      long has = held[resource] + (more == null ? 0 : more.of(resource));
      if (has > 0) {
        largest = Math.max(largest, has / (double) dueOfTotal(resource));
      }
    }
    return largest;
  }

  /** Returns what is due to it; of what has no end all that there is. */
  private long dueOfTotal(int resource) {
    return due(resource) == Long.MAX_VALUE ? books.total(resource) : due(resource);
  }

  /** Returns the largest share that it has of any resource, as a part of all that there is. */
  double largestShare() {
    double largest = 0;
    for (int resource = 0; resource < share.length; resource++) {
      long total = books.total(resource);
      largest = Math.max(largest, total == 0 ? 0 : share[resource] / (double) total);
    }
    return largest;
  }

  /** Returns whether the queue would hold no more than is guaranteed with a job besides. */
  boolean isGuaranteed(Charge more) {
    for (int resource = 0; resource < held.length; resource++) {
      if (more.of(resource) > 0 && more.of(resource) > guaranteed[resource] - held[resource]) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the queue would hold no more than its share with a job besides. */
  public boolean isInShare(Charge more) {
    for (int resource = 0; resource < held.length; resource++) {
      if (more.of(resource) > 0 && more.of(resource) > share[resource] - held[resource]) {
        return false;
      }
    }
    return true;
  }
}
